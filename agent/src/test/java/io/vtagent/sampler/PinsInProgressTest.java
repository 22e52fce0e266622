package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.usage.StackBudget;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests waits that have begun and not ended, which hooks report as on their carriers. */
class PinsInProgressTest {
    private static final FramesOfInterest WANTED = new FramesOfInterest(64);

    /** From that age on the stack of a pin in progress is read. */
    private static final long LASTS_NANOS = 1_000_000;

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

    @Test
    void ioThatLastsHasTheSiteOfTheCodeThatCalledIt() throws InterruptedException {
        ActivePin io = blocked(true, 0, PinsInProgressTest::io);
        assertThat(io.kind()).isEqualTo(PinKind.IO);
        assertThat(siteOf(io).key().kind()).isEqualTo(PinKind.IO);
        assertThat(siteOf(io).key().site()).startsWith(PinsInProgressTest.class.getName());
        assertThat(io.ageNanos()).isGreaterThanOrEqualTo(LASTS_NANOS);
    }

    @Test
    void anEntryThatLastsIsHeldByTheMonitorThatItWaitsFor() throws InterruptedException {
        Thread monitor = new Thread();
        ActivePin entry = blocked(true, 0, hooks -> hooks.onEnterBegan(monitor));
        assertThat(entry.kind()).isEqualTo(PinKind.ENTER);
        assertThat(entry.reason()).isEqualTo(PinReason.MONITOR);
        assertThat(entry.monitor()).isSameAs(monitor);
        assertThat(Objects.requireNonNull(siteOf(entry).stack()).monitorClass())
                .isEqualTo("java.lang.Thread");
    }

    @Test
    void whatIsWantedOnlyWhenPinsAreVeryLongIsNotReadBefore() throws InterruptedException {
        Thread monitor = new Thread();
        ActivePin entry = blocked(true, Long.MAX_VALUE, hooks -> hooks.onEnterBegan(monitor));
        assertThat(entry.site()).isNull();
    }

    @Test
    void aParkHasNoSiteBeforeAnotherAtItsPlaceHasEnded() throws InterruptedException {
        assertThat(blocked(true, 0, VtAgentProbe::onParkBegan).site()).isNull();
    }

    private static @Nullable Object io(VtAgentProbe hooks) {
        hooks.onIoBegan();
        return null;
    }

    private static Site siteOf(ActivePin pin) {
        return Objects.requireNonNull(pin.site());
    }

    /**
     * Returns the only pin in progress once {@code beginning} is a millisecond ago, on a virtual
     * thread that is in native code.
     */
    private static ActivePin blocked(
            boolean monitorsPin, long stackThresholdNanos, Beginning beginning)
            throws InterruptedException {
        Ledger ledger = new Ledger(monitorsPin, stackThresholdNanos, WANTED, 10, Buckets.SINGLE);
        AtomicBoolean over = new AtomicBoolean();
        Thread held =
                Thread.startVirtualThread(
                        () -> {
                            Object unused = beginning.of(ledger.hooks());
                            VirtualThreads.pin();
                            while (!over.get()) {
                                LockSupport.park();
                            }
                            VirtualThreads.unpin();
                        });
        while (held.getState() != Thread.State.WAITING
                || ledger.active().getFirst().ageNanos() < LASTS_NANOS) {
            Thread.onSpinWait();
        }
        try {
            List<ActivePin> all = of(ledger).all();
            assertThat(all).hasSize(1);
            assertThat(all.getFirst().thread()).isSameAs(held);
            return all.getFirst();
        } finally {
            over.set(true);
            LockSupport.unpark(held);
            held.join();
        }
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
        question = of(ledger)::all;
        Thread.startVirtualThread(
                        () -> {
                            Object begun = beginning.of(ledger.hooks());
                            asking.run();
                            ledger.hooks().onParkEnded(begun);
                        })
                .join();
        return answer;
    }

    private static PinsInProgress of(Ledger ledger) {
        SampledPins sampled =
                new SampledPins(
                        ledger, null, new JfrReconciler(ledger), new StackBudget(System::nanoTime));
        return new PinsInProgress(ledger, sampled);
    }
}
