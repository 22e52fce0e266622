package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForecastTest {
    private static final long THRESHOLD_NANOS = 100;

    private final Ledger ledger =
            new Ledger(true, THRESHOLD_NANOS, new FramesOfInterest(64), 10, Buckets.SINGLE);

    @Test
    void whatOnlyAMonitorHoldsGoesAndTheRestStays() {
        add(PinKind.PARK, PinReason.MONITOR, 1_000, "shop.Cart.total:1", null);
        add(PinKind.PARK, PinReason.NATIVE, 200, "shop.Native.call:?", null);
        add(PinKind.NATIVE, PinReason.NONE, 300, "shop.LibC.usleep:?", null);

        Forecast forecast = forecast();

        assertThat(forecast.goesNanos()).isEqualTo(1_000);
        assertThat(forecast.staysNanos()).isEqualTo(500);
        assertThat(forecast.unknownNanos()).isZero();
        assertThat(forecast.remaining())
                .extracting(Forecast.Remaining::site)
                .containsExactly("shop.LibC.usleep:?", "shop.Native.call:?");
        assertThat(forecast.inWords()).startsWith("on JDK 24 and later 66 % of it ");
    }

    @Test
    void aMonitorAboveANativeFrameStays() {
        add(PinKind.PARK, PinReason.MONITOR, 1_000, "shop.Cart.total:1", "shop.Native.call:?");

        Forecast forecast = forecast();

        assertThat(forecast.goesNanos()).isZero();
        assertThat(forecast.staysNanos()).isEqualTo(1_000);
        assertThat(forecast.remaining())
                .containsExactly(
                        new Forecast.Remaining(
                                "shop.Cart.total:1", "park", 1_000, "shop.Native.call:?"));
    }

    @Test
    void ofAMonitorWithoutAStackItIsNotKnown() {
        add(PinKind.PARK, PinReason.MONITOR, THRESHOLD_NANOS - 1, "shop.Cart.total:1", null);

        assertThat(forecast().unknownNanos()).isEqualTo(THRESHOLD_NANOS - 1);
        assertThat(forecast().inWords()).contains("not known");
    }

    @Test
    void whatIsKnownOfAMonitorIsNotUnknownToo() {
        add(PinKind.PARK, PinReason.MONITOR, 300, "shop.Cart.total:1", null);
        add(PinKind.PARK, PinReason.MONITOR, 500, "shop.Cart.total:2", "shop.Native.call:?");
        add(PinKind.WAIT, PinReason.MONITOR, THRESHOLD_NANOS - 80, "shop.Cart.total:1", null);
        add(PinKind.IO, PinReason.NONE, 180, "shop.Cart.read:3", null);

        assertThat(forecast().goesNanos()).isEqualTo(300);
        assertThat(forecast().staysNanos()).isEqualTo(680);
        assertThat(forecast().unknownNanos()).isEqualTo(20);
        assertThat(forecast().inWords())
                .isEqualTo(
                        "on JDK 24 and later 30 % of it (0 us) would go away, 1 us would stay,"
                                + " of 0 us it is not known (no stack)");
    }

    @Test
    void aSelectorGoesAndAFileStays() {
        addIo(300, "sun.nio.ch.EPollSelectorImpl.doSelect", null);
        addIo(200, "java.io.FileInputStream.read", null);

        assertThat(forecast().goesNanos()).isEqualTo(300);
        assertThat(forecast().staysNanos()).isEqualTo(200);
        assertThat(forecast().unknownNanos()).isZero();
    }

    @Test
    void aSelectorInAClassInitializerStays() {
        addIo(300, "sun.nio.ch.EPollSelectorImpl.doSelect", "shop.Prices.<clinit>:7");

        assertThat(forecast().staysNanos()).isEqualTo(300);
    }

    @Test
    void ofABracketedOperationWithoutAStackItIsNotKnown() {
        addIo(THRESHOLD_NANOS - 1, "java.io.FileInputStream.read", null);

        assertThat(forecast().unknownNanos()).isEqualTo(THRESHOLD_NANOS - 1);
    }

    @Test
    void aSelectorOfWhichFewFramesAreKeptGoes() {
        ledger.add(
                PinKind.IO,
                PinReason.NONE,
                300,
                () ->
                        stack(
                                "java.nio.channels.Selector.select",
                                null,
                                List.of("java.base/java.lang.Object.x(X.java:1)")));

        assertThat(forecast().goesNanos()).isEqualTo(300);
    }

    private void addIo(long nanos, String method, @Nullable String nativeFrame) {
        ledger.add(
                PinKind.IO,
                PinReason.NONE,
                nanos,
                () ->
                        stack(
                                method,
                                nativeFrame,
                                List.of("java.base/" + method + "(Unknown Source)")));
    }

    private static PinnedStack stack(
            String operation, @Nullable String nativeFrame, List<String> frames) {
        return new PinnedStack(
                frames,
                0,
                "shop.Cart.total:1",
                PinnedStack.Cause.NONE,
                null,
                operation,
                null,
                nativeFrame,
                Map.of());
    }

    @Test
    void ofNothingNothingGoesAway() {
        assertThat(forecast().inWords())
                .isEqualTo("on JDK 24 and later 0 % of it (0 us) would go away, 0 us would stay");
    }

    private Forecast forecast() {
        return PinReportMaker.of(
                        ledger,
                        List::of,
                        PinReport.Starved.NEVER,
                        PinReport.Delayed.OFF,
                        PinReport.Relieved.OFF,
                        PinReport.Scheduler.UNKNOWN,
                        FullReport.JVM,
                        10_000_000_000L)
                .forecast();
    }

    private void add(
            PinKind kind,
            PinReason reason,
            long nanos,
            String holder,
            @Nullable String nativeFrame) {
        ledger.add(
                kind,
                reason,
                nanos,
                () ->
                        new PinnedStack(
                                List.of(),
                                -1,
                                holder,
                                PinnedStack.Cause.MONITOR,
                                null,
                                "java.lang.Thread.sleep",
                                null,
                                nativeFrame,
                                Map.of()));
    }
}
