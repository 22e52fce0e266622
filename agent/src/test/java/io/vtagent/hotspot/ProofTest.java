package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.Proof.Facts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProofTest {
    /** One in eight failed where the two threads raced to initialize the second class. */
    private static final int PROOFS = 60;

    private static final int BUSY = 4;

    private volatile boolean over;

    @Test
    void eachProofComesToTheSameBesideThreadsThatUseEveryCpu() throws Exception {
        Fields fields = Fields.find();
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < BUSY; i++) {
            busy.add(Thread.ofPlatform().daemon().start(this::useAProcessor));
        }
        Facts first = Proof.of(fields);
        for (int i = 1; i < PROOFS; i++) {
            assertThat(Proof.of(fields)).isEqualTo(first);
        }
        over = true;
        for (Thread thread : busy) {
            thread.join();
        }
    }

    private void useAProcessor() {
        while (!over) {
            Thread.onSpinWait();
        }
    }
}
