package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.StackWalker.StackFrame;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LiveFramesTest {
    @Test
    void aFrameHasItsMonitorsAndLocals() {
        Object monitor = new Object();
        Object local = new Object();
        synchronized (monitor) {
            assertThat(ofCaller(LiveFrames.WALKER, LiveFrames::monitors)).containsExactly(monitor);
            assertThat(ofCaller(LiveFrames.WALKER, LiveFrames::locals))
                    .contains(this, monitor, local);
        }
        assertThat(local).isNotSameAs(monitor); // it is in use until here
    }

    @Test
    void aFrameThatCannotBeReadHasNothing() {
        StackWalker plain = StackWalker.getInstance();
        synchronized (this) {
            assertThat(ofCaller(plain, LiveFrames::monitors)).isEmpty();
            assertThat(ofCaller(plain, LiveFrames::locals)).isEmpty();
        }
    }

    private static Object[] ofCaller(StackWalker walker, Function<StackFrame, Object[]> read) {
        return walker.walk(frames -> read.apply(frames.skip(1).findFirst().orElseThrow()));
    }
}
