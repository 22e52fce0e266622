package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.hotspot.ContentionCounter;
import io.vtagent.jvm.OwnPool;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The JDK's code that walks a stack for the end of a wait may block. */
@Timeout(60)
class WalkThatBlocksTest {
    private static final int WAIT_IN_NATIVE = PinKey.index(PinKind.WAIT, PinReason.NATIVE, false);

    private static final long BLOCKS_NANOS = 50_000_000;

    private final ForkJoinPool oneCarrier = OwnPool.of(1, 1);
    private final AtomicBoolean anotherRan = new AtomicBoolean();
    private final AtomicBoolean anotherRanMeanwhile = new AtomicBoolean(true);
    private final CarrierSlots slots = new CarrierSlots(Buckets.SINGLE);
    private final HookAttribution attribution =
            new HookAttribution(new Attribution(1, new FramesOfInterest(1)), Long.MAX_VALUE) {
                @Override
                PinnedStack.Cause cause() {
                    return blockInTheWalk();
                }
            };
    private final Hooks hooks =
            new Hooks(
                    false,
                    slots,
                    attribution,
                    new HookRelief(),
                    new PinListeners(),
                    new CarrierStartSignal(),
                    new ContentionCounter());

    @AfterEach
    void end() {
        oneCarrier.shutdown();
    }

    private PinnedStack.Cause blockInTheWalk() {
        OwnPool.unstarted(oneCarrier, () -> anotherRan.set(true)).start();
        LockSupport.parkNanos(BLOCKS_NANOS);
        anotherRanMeanwhile.set(anotherRan.get());
        return PinnedStack.Cause.NATIVE;
    }

    @Test
    void keepsItsCarrierSoThatNobodyElseHasTheSlotMeanwhile() throws InterruptedException {
        Thread thread =
                OwnPool.unstarted(oneCarrier, () -> hooks.onWaitEnded(hooks.onWaitBegan(), null));
        thread.start();
        thread.join();

        assertThat(anotherRanMeanwhile).isFalse();
        assertThat(slots.iterator().next().histograms().of(WAIT_IN_NATIVE)).isNotNull();
    }
}
