package io.vtagent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.articlecache.ArticleCacheDemo;
import io.vtagent.demo.connectionpool.ConnectionPoolDemo;
import io.vtagent.demo.httprefresh.HttpRefreshDemo;
import io.vtagent.demo.metricsmap.MetricsMapDemo;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.monitors.MonitorsDemo;
import io.vtagent.demo.nativeframes.NativeDemo;
import io.vtagent.junit.Pin;
import io.vtagent.junit.PinKind;
import io.vtagent.junit.Pins;
import io.vtagent.junit.ShouldNotPin;
import io.vtagent.junit.ShouldPin;
import org.junit.jupiter.api.Test;

/**
 * The demo's cases as tests of vt-agent-junit: what pins, and what is fixed. They hold on JDK 21,
 * where monitors pin, and on 24 and later, where {@code byMonitor} expects that they do not.
 * Whether a thread waits for the map of counters behind a monitor is random, so only the fixed
 * variant is here.
 */
class PinningCasesTest {
    private static final Settings SMALL = new Settings(100, 5, "jdbc:h2:mem:pins");

    private static void run(DemoCase demo, String variant) throws Exception {
        assertThat(demo.run(variant, SMALL)).isNotNull();
    }

    @Test
    @ShouldPin(byMonitor = true)
    void theArticleCacheFetchesInAMonitor(Pins pins) throws Exception {
        run(new ArticleCacheDemo(), "pinned");

        assertThat(pins.of(PinKind.PARK))
                .extracting(Pin::holder)
                .allMatch(
                        holder ->
                                holder.startsWith(
                                        "io.vtagent.demo.articlecache.ArticleCache.fetchWithCache:"));
    }

    @Test
    @ShouldNotPin
    void theFixedArticleCacheDoesNot() throws Exception {
        run(new ArticleCacheDemo(), "fixed");
    }

    @Test
    @ShouldPin(byMonitor = true, kinds = PinKind.WAIT)
    void theConnectionPoolWaits() throws Exception {
        run(new ConnectionPoolDemo(), "pinned");
    }

    @Test
    @ShouldNotPin
    void theFixedConnectionPoolUsesASemaphore() throws Exception {
        run(new ConnectionPoolDemo(), "fixed");
    }

    @Test
    @ShouldPin(byMonitor = true)
    void theHttpClientIsCalledInAMonitor() throws Exception {
        run(new HttpRefreshDemo(), "pinned");
    }

    @Test
    @ShouldNotPin
    void theFixedRefreshHasALock() throws Exception {
        run(new HttpRefreshDemo(), "fixed");
    }

    @Test
    @ShouldNotPin
    void theFixedMapOfCountersHasNoLock() throws Exception {
        run(new MetricsMapDemo(), "fixed");
    }

    @Test
    @ShouldPin(byMonitor = true, kinds = PinKind.PARK)
    void aMonitorForEachTaskPins() throws Exception {
        run(new MonitorsDemo(), "synchronized-own");
    }

    @Test
    @ShouldNotPin
    void aLockForEachTaskDoesNot() throws Exception {
        run(new MonitorsDemo(), "lock-own");
    }

    @Test
    @ShouldPin(strict = true, kinds = PinKind.PARK)
    void aClassInitializerPinsOnEveryJdkAndCountsWhereItIsAskedFor() throws Exception {
        run(new NativeDemo(), "class-initializer");
    }

    @Test
    @ShouldNotPin
    void aSleepOfItsOwnDoesNot() throws Exception {
        run(new NativeDemo(), "nothing");
    }
}
