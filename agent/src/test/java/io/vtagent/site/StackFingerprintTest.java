package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class StackFingerprintTest {
    private static final int FRAMES = 300;

    private int turn;
    private volatile long taken;

    @Test
    void stacksOfHundredsOfFramesThatDifferInOneHaveOtherFingerprints() {
        LongSupplier asked = () -> descend(FRAMES);
        Map<Long, Integer> seen = new HashMap<>();
        for (turn = 0; turn <= FRAMES; turn++) {
            Integer before = seen.put(onVirtualThread(asked), turn);
            assertThat(before).as("the turn with the fingerprint of turn %d", turn).isNull();
        }
        turn = 0;
        assertThat(seen)
                .containsEntry(onVirtualThread(asked), 0)
                .doesNotContainKey(StackFingerprint.NONE);
    }

    /** Adds frames of one kind, except for the one at the height {@link #turn}. */
    private long descend(int height) {
        if (height == 0) {
            return StackFingerprint.ofCurrentThread();
        }
        long found = height == turn ? descend(height - 1) : StackFingerprint.NONE;
        return found != StackFingerprint.NONE ? found : descend(height - 1);
    }

    @Test
    void stacksThatDifferInTheMethodOrTheBytecodeIndexOfOneFrameHaveOtherFingerprints() {
        Map<Long, String> seen = new HashMap<>();
        List<IntUnaryOperator> methods = List.of(this::one, this::two, this::three, this::four);
        for (IntUnaryOperator method : methods) {
            for (int place = 6; place <= 13; place++) {
                String way = "method " + methods.indexOf(method) + ", place " + place;
                assertThat(seen.put(onVirtualThread(at(method, place)), way)).as(way).isNull();
            }
        }
    }

    private LongSupplier at(IntUnaryOperator method, int place) {
        return () -> method.applyAsInt(place) == 0 ? StackFingerprint.NONE : taken;
    }

    /** Its calls are 8 bytes apart, as those of the other methods. */
    private int one(int place) {
        return take(place, 6) + take(place, 7) + take(place, 8) + take(place, 9) + takeLater(place);
    }

    private int two(int place) {
        return take(place, 6) + take(place, 7) + take(place, 8) + take(place, 9) + takeLater(place);
    }

    private int three(int place) {
        return take(place, 6) + take(place, 7) + take(place, 8) + take(place, 9) + takeLater(place);
    }

    private int four(int place) {
        return take(place, 6) + take(place, 7) + take(place, 8) + take(place, 9) + takeLater(place);
    }

    private int takeLater(int place) {
        return take(place, 10) + take(place, 11) + take(place, 12) + take(place, 13);
    }

    private int take(int wanted, int place) {
        taken = wanted == place ? StackFingerprint.ofCurrentThread() : taken;
        return place;
    }

    @Test
    void platformThreadsAndStacksThatTheJvmCutsHaveNone() {
        assertThat(onVirtualThread(() -> descend(900))).isNotEqualTo(StackFingerprint.NONE);
        assertThat(onVirtualThread(() -> descend(1100)))
                .as("MaxJavaStackTraceDepth")
                .isEqualTo(StackFingerprint.NONE);
        assertThat(StackFingerprint.ofCurrentThread())
                .as("a platform thread")
                .isEqualTo(StackFingerprint.NONE);
    }

    private static long onVirtualThread(LongSupplier asked) {
        CompletableFuture<Long> answer = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        StackFingerprint.prove();
                        answer.complete(asked.getAsLong());
                    } catch (Throwable failed) {
                        answer.completeExceptionally(failed);
                    }
                });
        return answer.join();
    }
}
