package com.example.articles;

import io.vtagent.junit.ShouldNotPin;
import java.lang.reflect.Method;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** A test that is to pass and one that is to fail, at the same time. */
abstract class BothTests {
    private final CyclicBarrier together;

    BothTests(CyclicBarrier together) {
        this.together = together;
    }

    @Test
    @ShouldNotPin
    void good() throws Exception {
        System.out.println("jvm=" + ProcessHandle.current().pid());
        together.await();
        Thread.ofVirtual().start(BothTests::park).join();
        together.await();
    }

    @Test
    @ShouldNotPin
    void bad() throws Exception {
        together.await();
        Thread.ofVirtual().start(BothTests::pin).join();
        together.await();
    }

    /** Pins if native code has called it. */
    static void park() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void pin() {
        try {
            Method park = BothTests.class.getDeclaredMethod("park");
            park.invoke(null);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
