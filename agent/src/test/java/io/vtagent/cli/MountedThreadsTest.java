package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts of thread dumps as JDK 21.0.8 and 25.0.3 print them. */
class MountedThreadsTest {
    @Test
    void whatIsMountedIsCountedAndWhereKnownNamed() {
        MountedThreads threads =
                MountedThreads.of(
                        """
                        "ForkJoinPool-1-worker-2" #25 [1570] daemon prio=5 os_prio=0 cpu=2098.33ms
                           Carrying virtual thread #27
                        \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
                           Mounted virtual thread #27
                        \tat java.lang.Thread.sleep(java.base@25.0.3/Thread.java:1)
                        \tat com.acme.Cart.lambda$main$1(Cart.java:4)
                        \tat java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)

                        "ForkJoinPool-1-worker-1" #19 [1523] daemon prio=5
                           Carrying virtual thread #18
                        \tat jdk.internal.vm.Continuation.run(java.base@21.0.8/Unknown Source)
                        """
                                .lines()
                                .toList());

        assertThat(threads.inWords()).isEqualTo("2 mounted, in c.a.Cart.lambda$main$1");
    }

    @Test
    void anUnmounterIsASignOfEarlierOnes() {
        assertThat(
                        MountedThreads.of(List.of("\"VirtualThread-unparker\" #24 [1525] daemon"))
                                .inWords())
                .isEqualTo("0 mounted");
        assertThat(
                        MountedThreads.of(
                                        List.of(
                                                "\"main\" #1",
                                                "\tat com.acme.Main.main(Main.java:3)"))
                                .inWords())
                .isEqualTo("none found");
    }
}
