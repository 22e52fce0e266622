package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PinnedStackTest {
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of("shop.Pool.take", "shop.Order.pay", "shop.Main.main"),
                    0,
                    "shop.Pool.take:9",
                    PinnedStack.Cause.MONITOR,
                    "shop.Order",
                    "java.lang.Object.wait",
                    null,
                    null,
                    Map.of(
                            "shop.Pool.take",
                                    new PinnedStack.Monitors("shop.Order, shop.Pool", "shop.Order"),
                            "shop.Main.main", new PinnedStack.Monitors("shop.Main", null)));

    @Test
    void everyFrameIsMarkedWithAllOfItsMonitorsAndThoseThatAWaitKeeps() {
        assertThat(STACK.mark(0))
                .isEqualTo("  <== monitor: shop.Order, shop.Pool; the wait keeps shop.Order");
        assertThat(STACK.mark(1)).isEmpty();
        assertThat(STACK.mark(2)).isEqualTo("  <== monitor: shop.Main");
        assertThat(STACK.markOfMonitors("shop.Order.pay")).isEmpty();
    }

    @Test
    void aHolderWhoseMonitorsWereNotReadIsMarkedWithTheOneThatIsKnown() {
        PinnedStack entering =
                SnapshotStack.entering(
                        List.of(new StackTraceElement("shop.Cart", "total", "Cart.java", 42)),
                        new FramesOfInterest(64),
                        "shop.Cart");
        assertThat(entering.mark(0)).isEqualTo("  <== monitor: shop.Cart");
    }

    @Test
    void aMonitorIsNamedUnlessOneIsKnown() {
        PinnedStack unknown =
                SnapshotStack.entering(
                        List.of(new StackTraceElement("shop.Cart", "total", "Cart.java", 42)),
                        new FramesOfInterest(64),
                        null);

        assertThat(unknown.withMonitor("shop.Cart").monitorClass()).isEqualTo("shop.Cart");
        assertThat(STACK.withMonitor("shop.Cart").monitorClass()).isEqualTo("shop.Order");
    }
}
