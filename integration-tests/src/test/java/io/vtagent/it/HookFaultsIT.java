package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.fault.Faults.Kind;
import io.vtagent.it.fault.FaultyApplication;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults in a hook or in what it calls. The application gets its results and never an exception of
 * the agent's, its handler of uncaught exceptions is not called, and the pins that come after the
 * fault are counted.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class HookFaultsIT {
    private static final int SWEPT_ALL = 12;
    private static final int STRIDE = Fault.ALL ? 1 : 7;

    /**
     * A pin that no hook recorded after a hook has failed would be sampled, which is not what is
     * counted here.
     */
    private static final String EXACT = "report=off,relief=on,vm-events=off,sample-interval=off";

    private static final int LATER = 3;

    @Parameter Jdk jdk = Jdks.jdk21();

    private static final String HOOKS = "io/vtagent/hook/Hooks.class";

    private final SoftAssertions softly = new SoftAssertions();

    @Test
    void whenAHookOrTheRecorderFailsTheApplicationGoesOnAndLaterPinsAreCounted()
            throws IOException {
        List<Fault> faults = new ArrayList<>();
        for (String point :
                List.of(
                        "Hooks.onYieldFailed",
                        "Hooks.onParkBegan",
                        "Hooks.onParkEnded",
                        "Hooks.onUnmounted",
                        "HookAttribution.atBegin",
                        "Attribution.attribute",
                        "DurationHistogram.add",
                        "CarrierSlot.begin",
                        "CarrierSlot.end",
                        "CarrierSlot.record",
                        "HookRelief.begin",
                        "HookRelief.end",
                        "Relief.begin",
                        "Relief.end")) {
            faults.addAll(Fault.each(point, "PARK"));
        }
        faults.addAll(Fault.each("Hooks.onWaitBegan", "WAIT"));
        faults.addAll(Fault.each("Hooks.onWaitEnded", "WAIT"));
        faults.addAll(Fault.each("Hooks.onIoBegan", "IO"));
        faults.addAll(Fault.each("Hooks.onIoEnded", "IO"));
        faults.addAll(Fault.each("Hooks.onCompensationTried", "IO"));
        if (jdk.monitorsPin()) {
            faults.addAll(Fault.each("Hooks.onEnterBegan", "ENTER"));
            faults.addAll(Fault.each("Hooks.onEnterEnded", "ENTER"));
        }
        Set<String> tried =
                faults.stream().map(Fault::point).collect(Collectors.toCollection(HashSet::new));
        tried.addAll(List.of("Hooks.onSubmitFailed", "Hooks.onCarrierMade")); // below
        if (jdk.monitorsPin()) { // elsewhere nothing calls two of them
            assertThat(tried).as("the hooks are among them").containsAll(hooks());
        }
        try (FaultyJvm jvm = FaultyJvm.on(jdk, EXACT)) {
            Endpoint endpoint = jvm.jvm().endpoint();
            warmUp(jvm);
            faults.forEach(fault -> provoke(jvm, endpoint, fault));
            refuse(jvm, endpoint);
            jvm.endUnharmed(softly);
        }
    }

    /** All that the probe may call. */
    private static Set<String> hooks() throws IOException {
        Set<String> hooks = new HashSet<>();
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile());
                InputStream in = jar.getInputStream(jar.getEntry(HOOKS))) {
            ClassVisitor visitor =
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access,
                                String name,
                                String type,
                                String signature,
                                String[] exceptions) {
                            if (name.startsWith("on") && (access & Opcodes.ACC_PUBLIC) != 0) {
                                hooks.add("Hooks." + name);
                            }
                            return super.visitMethod(access, name, type, signature, exceptions);
                        }
                    };
            new ClassReader(in).accept(visitor, ClassReader.SKIP_CODE);
        }
        return hooks;
    }

    @Test
    void whenAListenerOfSinglePinsFailsTheyAreCounted() {
        List<String> points =
                List.of(
                        "PinListeners.ownerOf",
                        "PinListeners.onPinEnded",
                        "EndedPin.<init>:end",
                        "TestPins.owner",
                        "TestPins.ended",
                        "KeptPins.ended",
                        "RingBuffer.add",
                        "JfrEvents.ended");
        try (FaultyJvm jvm = FaultyJvm.on(jdk, EXACT + ",jfr-events=on,stack-threshold=0ms")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            warmUp(jvm);
            softly.assertThat(jvm.ask("listen")).isEqualTo("ok");
            jvm.jvm().awaitMetrics(now -> isRecorded(jvm));
            points.forEach(
                    point ->
                            Fault.each(point, "PARK")
                                    .forEach(fault -> provoke(jvm, endpoint, fault)));
            jvm.endUnharmed(softly);
        }
    }

    /** The agent checks once a second whether a recording has its events enabled. */
    private static boolean isRecorded(FaultyJvm jvm) {
        jvm.ask("fail", "JfrEvents.ended", Kind.EXCEPTION, 1);
        String unused = jvm.ask("hold", "PARK", 1);
        return jvm.number("stop") > 0;
    }

    /** The sampler then finds the carriers somewhat later. */
    @Tag("long")
    @Test
    void withoutNotificationsOfCarriersTheirPinsAreCountedAllTheSame() {
        for (String point :
                List.of(
                        "Hooks.onCarrierMade",
                        "CarrierStartSignal.arrived",
                        "HookRelief.carrierMade")) {
            for (Kind kind :
                    Fault.ALL ? List.of(Kind.values()) : List.of(Fault.kindOf(point.length()))) {
                countsWithoutNotification(point, kind);
            }
        }
    }

    private void countsWithoutNotification(String point, Kind kind) {
        try (FaultyJvm jvm =
                FaultyJvm.on(jdk, "report=off,relief=on,vm-events=off,stack-threshold=0ms")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            jvm.ask("fail", point, kind, Integer.MAX_VALUE);
            warmUp(jvm);
            softly.assertThat(jvm.number("stop")).as("calls of %s", point).isPositive();
            // before anything else is done for the first time, which may park as well
            Metrics now = jvm.jvm().awaitMetrics(metrics -> metrics.pins("kind", "park") >= LATER);
            softly.assertThat(now.pins("kind", "park"))
                    .as("pins with %s in %s", kind, point)
                    .isEqualTo(LATER);
            // the sampler, which was not notified, samples rarely
            jvm.jvm()
                    .awaitMetrics(
                            metrics ->
                                    metrics.pins("kind", "native") > 0
                                            || !jvm.ask("hold", "NATIVE", LATER).equals("ok"));
            softly.assertThat(endpoint.metrics().active("park"))
                    .as("active after %s", point)
                    .isZero();
            jvm.endUnharmed(softly);
        }
    }

    private void provoke(FaultyJvm jvm, Endpoint endpoint, Fault fault) {
        jvm.ask("fail", fault.point(), fault.kind(), fault.times());
        softly.assertThat(jvm.ask("hold", fault.holding(), 2))
                .as("result with %s", fault)
                .isEqualTo("ok");
        softly.assertThat(jvm.number("stop")).as("calls of %s", fault).isPositive();
        Metrics before = endpoint.metrics();
        softly.assertThat(jvm.ask("hold", fault.holding(), LATER))
                .as("result after %s", fault)
                .isEqualTo("ok");
        Metrics after = endpoint.metrics();
        softly.assertThat(after.since(before).pins("kind", fault.label()))
                .as("later pins after %s", fault)
                .isEqualTo(LATER);
        areWhole(after, fault.label(), fault);
        softly.assertThat(jvm.lentMore())
                .as("carriers added by relief that remain after %s", fault)
                .isZero();
    }

    /** None in progress, and the sites add up to the total. */
    private void areWhole(Metrics metrics, String label, Object after) {
        softly.assertThat(metrics.active(label)).as("active after %s", after).isZero();
        softly.assertThat(missingAtSites(metrics, label))
                .as("pins that the sites lack after %s", after)
                .isZero();
    }

    private static long missingAtSites(Metrics metrics, String label) {
        long atSites = metrics.sites(label).values().stream().mapToLong(Long::longValue).sum();
        return metrics.pins("kind", label) - atSites;
    }

    private void refuse(FaultyJvm jvm, Endpoint endpoint) {
        for (Kind kind : Kind.values()) {
            jvm.ask("fail", "Hooks.onSubmitFailed", kind, 1);
            softly.assertThat(jvm.ask("hold", "REFUSED", 1)).isEqualTo("ok");
            softly.assertThat(jvm.number("stop")).isPositive();
            Metrics before = endpoint.metrics();
            softly.assertThat(jvm.ask("hold", "REFUSED", LATER)).isEqualTo("ok");
            softly.assertThat(endpoint.metrics().since(before).sum("vthread_submit_failed_total"))
                    .isEqualTo(LATER);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CompensationToken.begun",
                "CompensationToken.begun:end",
                "CompensationToken.take",
                "HookRelief.end"
            })
    void whatFailsWhileReliefIsNotedOrGivenBackLeavesNoCarrierBehind(String point) {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, EXACT + ",stack-threshold=0ms")) {
            warmUp(jvm);
            for (Kind kind : Kind.values()) {
                jvm.ask("fail", point, kind, 1);
                // relief is not asked for anything before the agent's own thread has sampled
                await("relief to be asked").until(() -> isReachedAfter(jvm, "PARK"));
                softly.assertThat(jvm.number("stop")).isPositive();
                softly.assertThat(jvm.ask("hold", "PARK", LATER)).isEqualTo("ok");
                softly.assertThat(jvm.lentMore())
                        .as("carriers that remain after %s has failed with %s", point, kind)
                        .isZero();
            }
            jvm.endUnharmed(softly);
        }
    }

    /** The agent's own thread compensates and gives back, because no hook knows of the pin. */
    @ParameterizedTest
    @ValueSource(strings = {"Relief.endOf", "Relief.ended", "Relief.release", "Compensation.end"})
    void whatFailsWhileLateReliefIsGivenBackLeavesNoCarrierBehind(String point) {
        try (FaultyJvm jvm = FaultyJvm.on(jdk, "report=off,relief=on,vm-events=off")) {
            warmUp(jvm);
            for (Kind kind : Kind.values()) {
                jvm.ask("fail", point, kind, 1);
                await("relief to be given back").until(() -> isReachedAfter(jvm, "NATIVE"));
                jvm.ask("stop");
                softly.assertThat(jvm.lentMore())
                        .as("carriers that remain after %s has failed with %s", point, kind)
                        .isZero();
            }
            jvm.endUnharmed(softly);
        }
    }

    private boolean isReachedAfter(FaultyJvm jvm, String how) {
        softly.assertThat(jvm.ask("hold", how, 1)).isEqualTo("ok");
        return jvm.number("reached") > 0;
    }

    @Tag("long")
    @Test
    void whereverOnItsWayAPinFailsTheNextOnesAreCountedAndNothingIsLeftBehind() {
        List<String> holdings =
                jdk.monitorsPin()
                        ? List.of("PARK", "WAIT", "ENTER", "IO")
                        : List.of("PARK", "WAIT", "IO");
        try (FaultyJvm jvm = FaultyJvm.on(jdk, EXACT + ",stack-threshold=0ms")) {
            Endpoint endpoint = jvm.jvm().endpoint();
            warmUp(jvm);
            holdings.forEach(holding -> sweep(jvm, endpoint, holding));
            jvm.endUnharmed(softly);
        }
    }

    private void sweep(FaultyJvm jvm, Endpoint endpoint, String holding) {
        String label = holding.toLowerCase(Locale.ROOT);
        Metrics before = endpoint.metrics();
        int points = Integer.MAX_VALUE;
        for (int number = 1; number <= points; number += number < SWEPT_ALL ? 1 : STRIDE) {
            Kind kind = Fault.kindOf(number);
            String point = jvm.ask("sweep", holding, kind, number);
            String what =
                    holding + " whose point " + number + ", " + point + ", fails with " + kind;
            softly.assertThat(point).as("result of %s", what).matches("[\\w.$:<>]+");
            if (point.equals(FaultyApplication.PASSED)) {
                points = number; // it was not reached any more: this was the last
            }
            softly.assertThat(jvm.ask("hold", holding, LATER))
                    .as("result after %s", what)
                    .isEqualTo("ok");
            Metrics after = endpoint.metrics();
            softly.assertThat(after.since(before).pins("kind", label))
                    .as("pins with %s and after", what)
                    .isBetween((long) LATER, LATER + 1L);
            softly.assertThat(after.active(label)).as("active after %s", what).isZero();
            // what fails between the one sum and the other is in one of them only; the others have
            // to be in both
            softly.assertThat(missingAtSites(after, label) - missingAtSites(before, label))
                    .as("pins that the sites lack after %s", what)
                    .isBetween(-1L, 1L);
            softly.assertThat(jvm.lentMore())
                    .as("carriers added by relief that remain after %s", what)
                    .isZero();
            before = after;
        }
        softly.assertThat(points).as("points of %s", holding).isGreaterThan(5);
    }

    /** Until the first stacks have been read, and the scheduler has all of its carriers. */
    private void warmUp(FaultyJvm jvm) {
        softly.assertThat(jvm.number("atOnce")).isEqualTo(FaultyJvm.CARRIERS);
        softly.assertThat(jvm.ask("hold", "PARK", LATER)).isEqualTo("ok");
        jvm.lentMore();
    }
}
