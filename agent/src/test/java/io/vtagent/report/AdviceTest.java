package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviceTest {

    @Test
    void nativeCodeOfTheApplicationBelongsOnAPool() {
        assertThat(adviceOnNative("shop.LibC.usleep:?", "shop.LibC.usleep(Native Method)"))
                .startsWith("shop.LibC.usleep blocks in native code ");
    }

    @Test
    void nativeCodeWithoutANativeMethodIsAForeignFunction() {
        assertThat(adviceOnNative("shop.Cart.total:12", "shop.Cart.total(Cart.java:12)"))
                .startsWith(
                        "shop.Cart.total most likely called a function through java.lang.foreign,");
    }

    @Test
    void whatTheJvmMadeWaitIsNotTheCodeThatItStoodAt() {
        assertThat(onSiteOf(PinKind.JVM, PinReason.NONE, "shop.Cart.total:12", null, List.of()))
                .startsWith("shop.Cart.total was not in native code: the JVM itself made it wait,")
                .contains("There is nothing to change here");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.VirtualThread.notifyJvmtiUnmount:?",
                "java.lang.VirtualThread.notifyJvmtiMount:?",
                "jdk.internal.vm.Continuation.doYield:?"
            })
    void whatTheJvmItselfWaitsForIsNotBlamedOnTheApplication(String holder) {
        assertThat(
                        onSiteOf(
                                PinKind.JVM,
                                PinReason.NONE,
                                holder,
                                null,
                                List.of(holder.replace(":?", "(Native Method)"))))
                .contains("No code of the application blocks here.");
    }

    @Test
    void aClassThatOthersWaitForIsToBeInitializedEarlier() {
        assertThat(
                        advice(
                                PinKind.CLASS_INIT,
                                PinReason.CLASS_INIT,
                                "shop.Main.main:3",
                                "shop.Slow"))
                .startsWith(
                        "shop.Main.main waits while another thread initializes shop.Slow. Move ");
        assertThat(advice(PinKind.CLASS_INIT, PinReason.CLASS_INIT, "shop.Main.main:3", null))
                .startsWith("shop.Main.main waits while another thread initializes a class. Move ");
    }

    @ParameterizedTest
    @CsvSource({
        "NATIVE, Native code that shop.Cart.total runs called back into Java:",
        "CLASS_INIT, The initializer of shop.Cart blocks",
        "CRITICAL_SECTION, 'The JDK forbids unmounting here for a short while; there is nothing to"
                + " change in shop.Cart.total.'",
        "NONE, 'java.lang.Thread.sleep could not unmount:'"
    })
    void whatHoldsTheCarrierBesidesAMonitorIsNamed(PinReason reason, String beginning) {
        assertThat(advice(PinKind.PARK, reason, "shop.Cart.total:12", null)).startsWith(beginning);
    }

    /**
     * On JDK 24 and later, the JVM reports a wait for a class that is linked as one for a monitor,
     * of a thread that nothing else keeps.
     */
    @Test
    void aThreadThatWaitsForAMonitorAndIsKeptByNothingWaitsForAClass() {
        assertThat(advice(PinKind.ENTER, PinReason.NONE, "shop.Cart.total:12", null))
                .startsWith(
                        "shop.Cart.total most likely waits until another thread has loaded, linked"
                                + " or")
                .contains("load the class at start-up");
    }

    @ParameterizedTest
    @CsvSource({
        "PARK, CRITICAL_SECTION, java.lang.ClassLoader.loadClass:557, A class loader blocks in"
                + " java.lang.Thread.sleep.",
        "PARK, MONITOR, java.lang.ClassLoader.loadClass:557, A class loader blocks in"
                + " java.lang.Thread.sleep.",
        "ENTER, MONITOR, jdk.internal.loader.BuiltinClassLoader.loadClassOrNull:9, Another thread"
                + " is loading the same class.",
        "ENTER, MONITOR, org.apache.catalina.loader.WebappClassLoaderBase.loadClass:9, Another"
                + " thread is loading the same class.",
        "ENTER, CRITICAL_SECTION, shop.PluginLoader.loadClass:3, Another thread is loading the same"
                + " class."
    })
    void aClassLoaderIsNotAdvisedToReplaceItsMonitors(
            PinKind kind, PinReason reason, String holder, String beginning) {
        assertThat(advice(kind, reason, holder, "java.lang.Object"))
                .startsWith(beginning)
                .contains("load the class at start-up");
    }

    /** JFR reports the same wait as one in a critical section (InstanceKlass::link_class_impl). */
    @Test
    void anEntryInACriticalSectionWaitsForAClassUnlessItIsBelowAClassLoader() {
        assertThat(onJdk25(PinReason.CRITICAL_SECTION, "shop.Cart.total:12"))
                .isEqualTo(onJdk25(PinReason.NONE, "shop.Cart.total:12"))
                .startsWith("shop.Cart.total most likely waits until another thread has loaded,");
        assertThat(onJdk25(PinReason.CRITICAL_SECTION, "shop.PluginLoader.loadClass:3"))
                .startsWith("Another thread is loading the same class.");
    }

    private static String onJdk25(PinReason reason, String holder) {
        Ledger ledger = new Ledger(false, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.add(PinKind.ENTER, reason, 1, () -> stackOf(holder, "synchronized"));
        return Advice.on(ledger.sites().getFirst(), FullReport.WITHOUT_MONITOR_PINS);
    }

    /** The application's own entries have the monitor that they wait for. */
    @Test
    void aThreadThatWaitsForAnUnnamedMonitorWaitsForAClass() {
        PinReport.Jvm hooked =
                new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of("enter", ""));
        PinnedStack unnamed = stackOf("shop.Cart.total:12", "synchronized");
        for (PinnedStack stack : List.of(unnamed, unnamed.withMonitor("shop.PluginLoader"))) {
            Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
            ledger.add(PinKind.ENTER, PinReason.MONITOR, 1, () -> stack);
            Site site = ledger.sites().getFirst();

            assertThat(Advice.on(site, hooked))
                    .startsWith(
                            "shop.Cart.total most likely waits until another thread has loaded,"
                                    + " linked or")
                    .doesNotContain("Replace synchronized");
            assertThat(Forecast.of(site, hooked)).isEqualTo(Forecast.OfSite.STAYS);
        }
    }

    @Test
    void whereSynchronizedMethodsAreNotHookedAMonitorThatNobodyNamesMayBeTheirs() {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.add(
                PinKind.ENTER,
                PinReason.MONITOR,
                1,
                () -> stackOf("shop.Cart.total:12", "synchronized"));
        Site site = ledger.sites().getFirst();

        PinReport.Jvm attached =
                new PinReport.Jvm("1.0", "21.0.8", true, true, true, Map.of("enter", ""));
        PinReport.Jvm down =
                new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of("enter", "down"));
        for (PinReport.Jvm jvm : List.of(attached, down)) {
            assertThat(Advice.on(site, jvm)).contains("Replace synchronized with a ReentrantLock");
            assertThat(Forecast.of(site, jvm)).isEqualTo(Forecast.OfSite.GOES);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sun.nio.ch.EPollSelectorImpl.doSelect, 'up to JDK 23, where the scheduler may add one"
                + " meanwhile, and unmounts from JDK 24 on'",
        "java.io.FileInputStream.read, 'up to JDK 23 the scheduler may add a carrier meanwhile,"
                + " on later JDKs it hardly ever does.'",
        "sun.nio.ch.FileChannelImpl.lock, 'no form that unmounts: the scheduler may add a carrier"
                + " meanwhile.'",
        "java.net.InetAddress$PlatformResolver.lookupByName, 'no form that unmounts: the scheduler"
                + " may add a carrier meanwhile.'"
    })
    void theForecastOfABracketedOperationIsReported(String method, String words) {
        List<String> frames =
                List.of(
                        "java.base/jdk.internal.misc.Blocker.end(Blocker.java:9)",
                        "java.base/" + method + "(Unknown Source)",
                        "shop.Cart.total(Cart.java:12)");
        assertThat(onSiteOf(PinKind.IO, PinReason.NONE, "shop.Cart.total:12", null, frames))
                .contains(words);
    }

    @Test
    void whereMonitorsDoNotPinNoLaterJdkIsSpokenOf() {
        Ledger ledger = new Ledger(false, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.add(
                PinKind.IO,
                PinReason.NONE,
                1,
                () -> stackOf("shop.Cart.total:12", "java.io.FileInputStream.read"));

        assertThat(Advice.on(ledger.sites().getFirst(), FullReport.WITHOUT_MONITOR_PINS))
                .startsWith(
                        "java.io.FileInputStream.read has no form that unmounts: the scheduler may"
                                + " add")
                .doesNotContain("JDK");
    }

    private static PinnedStack stackOf(String holder, String operation) {
        return new PinnedStack(
                List.of("shop.Cart.total(Cart.java:12)"),
                0,
                holder,
                PinnedStack.Cause.MONITOR,
                null,
                operation,
                null,
                null,
                Map.of());
    }

    /** To replace the monitor would not help, if the JVM has called the loader. */
    @Test
    void noAdviceReplacesAMonitorInAClassLoader() {
        assertThat(
                        onSiteOf(
                                PinKind.PARK,
                                PinReason.MONITOR,
                                "shop.Plugins.find:12",
                                "shop.Plugins",
                                List.of("shop.Plugins.find(Plugins.java:12)"),
                                "shop.Plugins.loadClass:9"))
                .startsWith("A class loader blocks in java.lang.Thread.sleep.");
    }

    @ParameterizedTest
    @CsvSource({
        "CLASS_INIT, shop.Slow.<clinit>:3, The initializer of shop.Slow blocks",
        "NATIVE, shop.Native.call:?, Native code that shop.Native.call runs called back",
        "CRITICAL_SECTION, shop.PluginLoader.loadClass:9, Another thread is loading the same class."
    })
    void aThreadThatWaitsForAMonitorIsKeptByAnotherFrame(
            PinReason reason, String keeper, String beginning) {
        assertThat(onSiteOf(PinKind.ENTER, reason, "shop.Cart.total:12", null, List.of(), keeper))
                .startsWith(beginning);
    }

    @ParameterizedTest
    @CsvSource({
        "WAIT, Object.wait holds the carrier for as long as it waits. Replace wait and notify in"
                + " shop.Cart with",
        "ENTER, shop.Cart.total waits for a monitor that others hold for long. Replace"
                + " synchronized with a ReentrantLock",
        "PARK, shop.Cart.total holds a monitor while java.lang.Thread.sleep blocks. Replace"
                + " synchronized with a ReentrantLock"
    })
    void aMonitorIsReplacedByWhatFitsItsUse(PinKind kind, String beginning) {
        assertThat(advice(kind, PinReason.MONITOR, "shop.Cart.total:12", "shop.Cart"))
                .startsWith(beginning);
        assertThat(advice(kind, PinReason.MONITOR, "shop.Cart.total:12", null))
                .startsWith(beginning);
    }

    @Test
    void aWaitThatKeepsAnotherMonitorNamesThatMonitorToo() {
        PinnedStack stack =
                new PinnedStack(
                        List.of(
                                "java.base/java.lang.Object.wait(Object.java:366)",
                                "shop.Pool.take(Pool.java:9)",
                                "own.loader//shop.Order.pay(Order.java:12)",
                                "shop.Main.main(Main.java:3)"),
                        1,
                        "shop.Pool.take:9",
                        PinnedStack.Cause.MONITOR,
                        "shop.Pool",
                        "java.lang.Object.wait",
                        null,
                        null,
                        Map.of(
                                "shop.Pool.take(Pool.java:9)",
                                        new PinnedStack.Monitors("shop.Pool", null),
                                "own.loader//shop.Order.pay(Order.java:12)",
                                        new PinnedStack.Monitors(
                                                "shop.Pool, shop.Order", "shop.Order"),
                                "shop.Main.main(Main.java:3)",
                                        new PinnedStack.Monitors("shop.Main", "shop.Main")));
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        ledger.add(PinKind.WAIT, PinReason.MONITOR, 1, () -> stack);

        assertThat(Advice.on(ledger.sites().getFirst(), FullReport.JVM))
                .endsWith(
                        " or with a Condition of a ReentrantLock. That alone would not help:"
                                + " shop.Order.pay holds a monitor of shop.Order meanwhile,"
                                + " which the wait does not give up. Replace that as well, or"
                                + " wait outside of it.");
        assertThat(advice(PinKind.WAIT, PinReason.MONITOR, "shop.Cart.total:12", "shop.Cart"))
                .endsWith(" or with a Condition of a ReentrantLock.");
    }

    @Test
    void theFunctionOfAConcurrentMapIsToBeComputedBefore() {
        assertThat(
                        advice(
                                PinKind.PARK,
                                PinReason.MONITOR,
                                "java.util.concurrent.ConcurrentHashMap.computeIfAbsent:1708",
                                "java.util.concurrent.ConcurrentHashMap$ReservationNode"))
                .startsWith(
                        "The function given to"
                            + " java.util.concurrent.ConcurrentHashMap.computeIfAbsent blocks ");
    }

    @Test
    void aThreadThatWaitsInAConcurrentMapForAFunctionHasNotGivenItsOwn() {
        assertThat(
                        advice(
                                PinKind.ENTER,
                                PinReason.MONITOR,
                                "java.util.concurrent.ConcurrentHashMap.transfer:2479",
                                "java.util.concurrent.ConcurrentHashMap$Node"))
                .startsWith(
                        "java.util.concurrent.ConcurrentHashMap.transfer waits for the lock of a"
                                + " bin, under which ");
    }

    @Test
    void noWaitInsideTheJdkIsToBeReplaced() {
        assertThat(
                        onSiteOf(
                                PinKind.WAIT,
                                PinReason.MONITOR,
                                "java.io.PipedInputStream.read:300",
                                "java.io.PipedInputStream",
                                List.of(
                                        "java.base/java.io.PipedInputStream.read(PipedInputStream.java:300)")))
                .startsWith(
                        "java.io.PipedInputStream.read blocks inside a synchronized of the JDK,"
                                + " which you cannot change.")
                .doesNotContain("Semaphore");
    }

    @Test
    void noMonitorOfTheJdksIsToBeReplaced() {
        assertThat(
                        onSiteOf(
                                PinKind.ENTER,
                                PinReason.MONITOR,
                                "java.util.TimeZone.getTimeZone:509",
                                "java.lang.Class",
                                List.of(
                                        "java.base/java.util.TimeZone.getTimeZone(TimeZone.java:509)")))
                .startsWith("java.util.TimeZone.getTimeZone waits for a monitor inside the JDK. ")
                .doesNotContain("ReentrantLock");
    }

    @ParameterizedTest
    @CsvSource({
        "java.util.Hashtable.get:3, java.util.Hashtable",
        "java.util.Properties.get:3, ",
        "shop.Cart.total:12, java.util.HashMap",
        "shop.Cart.total:12, java.util.concurrent.ConcurrentSkipListMap"
    })
    void aGuardedMapIsToBecomeAConcurrentOne(String holder, @Nullable String monitor) {
        assertThat(advice(PinKind.PARK, PinReason.MONITOR, holder, monitor))
                .isEqualTo(
                        "A map is guarded by synchronized: use a ConcurrentHashMap, and let nothing"
                                + " block in its computeIfAbsent, which would hold the carrier as"
                                + " well.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.ArrayList", "shop.HashMap"})
    void whatIsNoMapOfTheJdkIsNotCalledOne(String monitor) {
        assertThat(advice(PinKind.PARK, PinReason.MONITOR, "shop.Cart.total:12", monitor))
                .startsWith("shop.Cart.total holds a monitor while ");
    }

    private static String advice(
            PinKind kind, PinReason reason, String holder, @Nullable String monitor) {
        return onSiteOf(kind, reason, holder, monitor, List.of(holder));
    }

    private static String onSiteOf(
            PinKind kind,
            PinReason reason,
            String holder,
            @Nullable String monitor,
            List<String> frames) {
        return onSiteOf(kind, reason, holder, monitor, frames, null);
    }

    private static String onSiteOf(
            PinKind kind,
            PinReason reason,
            String holder,
            @Nullable String monitor,
            List<String> frames,
            @Nullable String nativeFrame) {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        PinnedStack stack =
                new PinnedStack(
                        frames,
                        0,
                        holder,
                        PinnedStack.Cause.MONITOR,
                        monitor,
                        "java.lang.Thread.sleep",
                        null,
                        nativeFrame,
                        Map.of());
        ledger.add(kind, reason, 1, () -> stack);
        return Advice.on(ledger.sites().get(0), FullReport.JVM);
    }

    private static String adviceOnNative(String holder, String frame) {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        PinnedStack stack =
                new PinnedStack(
                        List.of(frame),
                        -1,
                        holder,
                        PinnedStack.Cause.NATIVE,
                        null,
                        "java.lang.Thread.yield",
                        null,
                        null,
                        Map.of());
        ledger.add(PinKind.NATIVE, PinReason.NONE, 1, () -> stack);
        return Advice.on(ledger.sites().get(0), FullReport.JVM);
    }
}
