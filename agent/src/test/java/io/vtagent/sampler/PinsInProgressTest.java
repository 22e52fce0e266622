package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests waits that have begun and not ended, which hooks report as on their carriers. */
class PinsInProgressTest {
    private static final FramesOfInterest WANTED = new FramesOfInterest(64);

    private static volatile Supplier<List<ActivePin>> question = List::of;
    private static volatile List<ActivePin> answer = List.of();

    private static final class Initialized {
        static {
            answer = question.get();
        }

        static void initialize() {}
    }

    @Test
    void whereMonitorsDoNotPinAWaitHoldsItsCarrierOnlyIfSomethingElseDoes()
            throws InterruptedException {
        assertThat(inProgress(false, VtAgentProbe::onWaitBegan, PinsInProgressTest::ask)).isEmpty();
        assertThat(inProgress(false, VtAgentProbe::onWaitBegan, Initialized::initialize))
                .singleElement()
                .satisfies(
                        pin -> {
                            assertThat(pin.kind()).isEqualTo(PinKind.WAIT);
                            assertThat(pin.reason()).isEqualTo(PinReason.CLASS_INIT);
                            assertThat(Objects.requireNonNull(pin.site()).key().site())
                                    .startsWith(Initialized.class.getName() + ".<clinit>:");
                        });
    }

    /**
     * The stack does not show whether the JVM has called the loader, but the fact that the thread
     * is still mounted does.
     */
    @Test
    void aWaitInAClassLoaderHoldsItIfItHasNotUnmounted() throws InterruptedException {
        assertThat(inProgress(false, VtAgentProbe::onWaitBegan, new AskingLoader()::load))
                .singleElement()
                .satisfies(pin -> assertThat(pin.reason()).isEqualTo(PinReason.CRITICAL_SECTION));
    }

    private static final class AskingLoader extends ClassLoader {
        void load() {
            try {
                Class<?> unused = loadClass("any");
            } catch (ClassNotFoundException thrown) {
                throw new AssertionError(thrown);
            }
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < 2_000_000) {
                Thread.onSpinWait();
            }
            ask();
            return Object.class;
        }
    }

    @Test
    void whereTheyDoItAlwaysHoldsIt() throws InterruptedException {
        assertThat(inProgress(true, VtAgentProbe::onWaitBegan, PinsInProgressTest::ask))
                .singleElement()
                .satisfies(pin -> assertThat(pin.reason()).isEqualTo(PinReason.MONITOR));
    }

    @Test
    void whatIsNoWaitHoldsItAnywhere() throws InterruptedException {
        assertThat(inProgress(false, VtAgentProbe::onParkBegan, PinsInProgressTest::ask))
                .singleElement()
                .satisfies(pin -> assertThat(pin.kind()).isEqualTo(PinKind.PARK));
    }

    private static void ask() {
        answer = question.get();
    }

    private interface Beginning {
        @Nullable Object of(VtAgentProbe hooks);
    }

    /**
     * Returns the pins in progress while {@code asking} runs on a virtual thread with a pin in
     * progress.
     */
    private static List<ActivePin> inProgress(
            boolean monitorsPin, Beginning beginning, Runnable asking) throws InterruptedException {
        Ledger ledger = new Ledger(monitorsPin, Long.MAX_VALUE, WANTED, 10, Buckets.SINGLE);
        SampledPins sampled =
                new SampledPins(
                        ledger,
                        null,
                        new JfrReconciler(ledger, monitorsPin, WANTED),
                        monitorsPin,
                        WANTED,
                        new StackBudget(System::nanoTime));
        question = new PinsInProgress(ledger, sampled, monitorsPin, WANTED)::all;
        Thread.startVirtualThread(
                        () -> {
                            Object begun = beginning.of(ledger.hooks());
                            asking.run();
                            ledger.hooks().onParkEnded(begun);
                        })
                .join();
        return answer;
    }
}
