package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/**
 * Tests with counters of their own, in the same table: HotSpot of JDK 25 has none of contended
 * entries.
 */
class ContentionCounterTest {
    /** PerfData.U_Events, V_Monotonic (perfData.hpp). */
    private static final int EVENTS = 4;

    private static final int MONOTONIC = 2;

    private static ByteBuffer counter(String name) throws Throwable {
        Class<?> type = Class.forName("jdk.internal.perf.Perf");
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Object perf = lookup.findStatic(type, "getPerf", MethodType.methodType(type)).invoke();
        MethodType create =
                MethodType.methodType(
                        ByteBuffer.class, String.class, int.class, int.class, long.class);
        ByteBuffer counter =
                (ByteBuffer)
                        lookup.findVirtual(type, "createLong", create)
                                .invoke(perf, name, MONOTONIC, EVENTS, 0L);
        return counter.order(ByteOrder.nativeOrder());
    }

    private static void count(ByteBuffer counter) {
        counter.putLong(0, counter.getLong(0) + 1);
    }

    @Test
    void onceProvedItReportsWhetherItHasRisen() throws Throwable {
        ByteBuffer counter = counter("vtagent.test.contended");
        ByteBuffer another = counter("vtagent.test.contended2");
        ContentionCounter contended = new ContentionCounter("vtagent.test.contended");
        count(counter);
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();

        assertThat(contended.proveBy(() -> count(counter))).isTrue();
        assertThat(contended.soFar()).isEqualTo(2);
        assertThat(contended.mayHaveRisenSince(2)).isFalse();
        count(another);
        assertThat(contended.mayHaveRisenSince(2)).isFalse();
        count(counter);
        assertThat(contended.mayHaveRisenSince(2)).isTrue();
    }

    @Test
    void oneThatDoesNotRiseIsNotBelieved() throws Throwable {
        ByteBuffer counter = counter("vtagent.test.idle");
        ContentionCounter contended = new ContentionCounter("vtagent.test.idle");
        assertThat(contended.proveBy(() -> {})).isFalse();
        count(counter);
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();
    }

    @Test
    void whereThereIsNoneEveryThreadMayHaveWaited() {
        ContentionCounter contended = new ContentionCounter("vtagent.test.missing");
        assertThat(contended.proveBy(() -> {})).isFalse();
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();
    }
}
