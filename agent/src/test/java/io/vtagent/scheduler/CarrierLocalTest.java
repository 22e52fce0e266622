package io.vtagent.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CarrierLocalTest {
    /** Refers to the carrier; a reference to the carrier itself would never be cleared. */
    private record Value(Thread carrier) {}

    private final ForkJoinPool scheduler = OwnPool.of(1, 1);
    private final List<Value> created = new ArrayList<>();
    private final CarrierLocal<Value> local =
            new CarrierLocal<>() {
                @Override
                protected Value create(Thread carrier) {
                    Value value = new Value(carrier);
                    created.add(value);
                    return value;
                }
            };

    @AfterEach
    void end() {
        scheduler.shutdown();
    }

    @Test
    void theVirtualThreadsOfACarrierFindItsOneValue() throws InterruptedException {
        Value first = valueOnThreadOfScheduler();
        Value second = valueOnThreadOfScheduler();
        Thread worker = scheduler.submit(Thread::currentThread).join();

        assertThat(first.carrier()).isSameAs(worker);
        assertThat(second).isSameAs(first);
        assertThat(created).hasSize(1);
    }

    @Test
    void anotherThreadHasAnotherValue() throws InterruptedException {
        Value ofCarrier = valueOnThreadOfScheduler();

        Value own = local.get();

        assertThat(own).isNotSameAs(ofCarrier).isSameAs(local.get());
        assertThat(own.carrier()).isSameAs(Thread.currentThread());
    }

    private Value valueOnThreadOfScheduler() throws InterruptedException {
        AtomicReference<Value> found = new AtomicReference<>();
        Thread thread = OwnPool.unstarted(scheduler, () -> found.set(local.get()));
        thread.start();
        thread.join();
        return requireNonNull(found.get());
    }
}
