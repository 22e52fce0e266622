package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.site.FramesOfInterest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class SiteMetersTest {
    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.FINE);

    @Test
    void aSiteWhoseMeterCouldNotBeMadeHasOneAfterTheNextRefresh() {
        AtomicInteger refusals = new AtomicInteger(1);
        SimpleMeterRegistry full =
                new SimpleMeterRegistry() {
                    @Override
                    protected <T> FunctionTimer newFunctionTimer(
                            Meter.Id id,
                            T source,
                            ToLongFunction<T> count,
                            ToDoubleFunction<T> time,
                            TimeUnit unit) {
                        if (refusals.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("on purpose");
                        }
                        return super.newFunctionTimer(id, source, count, time, unit);
                    }
                };
        SiteMeters meters = new SiteMeters(ledger);
        meters.bindTo(full);
        Object begun = ledger.hooks().onParkBegan();
        ledger.hooks().onParkEnded(begun);

        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(meters::refresh);
        meters.refresh();

        assertThat(full.get(SiteMeters.SITE).functionTimer().count()).isEqualTo(1);
    }
}
