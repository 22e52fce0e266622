package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.ledger.HeldTime;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.relief.Relief;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.usage.BusySites;
import io.vtagent.usage.DelayProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MetersInDocsTest {

    @Test
    void everyMeterIsInTheTableWithItsTagsAndHasADescription() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "metrics.md"));
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.hooks().onYieldFailed("MONITOR");
        Object begun = ledger.hooks().onParkBegan();
        ledger.hooks().onParkEnded(begun);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new PinMeters(ledger, PinKey.expected(true), false).bindTo(registry);
        new SiteMeters(ledger).bindTo(registry);
        new ActivePinMeters(ledger::active).bindTo(registry);
        new HeldMeters(new HeldTime(ledger::totals, ledger::active)).bindTo(registry);
        Sensors sensors = new Sensors();
        sensors.put("park", "");
        new AgentMeters(sensors, () -> 1, () -> 0).bindTo(registry);
        CarrierMonitoring.Settings settings =
                new CarrierMonitoring.Settings(false, false, 0, 1, 10_000_000, 10, () -> false);
        CarrierMonitoring watch =
                Objects.requireNonNull(
                        CarrierMonitoring.of(
                                CarrierPool.find(), ledger, sensors, settings, name -> false));
        new SchedulerMeters(ledger, watch).bindTo(registry);
        BusySites busy = new BusySites(1);
        busy.siteOf(null).addSpell();
        new BusyMeters(busy).bindTo(registry);
        new CarrierTimeMeters(watch.usage(), new HeldTime(ledger::totals, ledger::active))
                .bindTo(registry);
        new DelayMeters(new DelayProbe(watch.pool(), ledger.arrivals(), 1, Buckets.SINGLE), false)
                .bindTo(registry);
        new ReliefMeters(new Relief(watch.pool(), 1)).bindTo(registry);

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .contains(SiteMeters.SITE);
        for (Meter meter : registry.getMeters()) {
            String row =
                    docs.lines()
                            .filter(
                                    line ->
                                            line.startsWith(
                                                    "| `" + meter.getId().getName() + "` |"))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new AssertionError(
                                                    meter.getId() + " is not in docs/metrics.md"));
            assertThat(meter.getId().getDescription()).isNotBlank();
            for (Tag tag : meter.getId().getTags()) {
                assertThat(row).contains("`" + tag.getKey() + "`");
            }
        }
    }

    @Test
    void everyKindAndReasonIsExplained() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "reading-the-report.md"));
        for (PinKind kind : PinKind.values()) {
            assertThat(docs).contains("\n| `" + kind.label() + "` |");
        }
        for (PinReason reason : PinReason.values()) {
            assertThat(docs).contains("\n| `" + reason.label() + "` |");
        }
    }
}
