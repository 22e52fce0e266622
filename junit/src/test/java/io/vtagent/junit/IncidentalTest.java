package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IncidentalTest {
    private static final String OURS = "a.B.c(B.java:12)";
    private static final String SLEEP = "java.base/java.lang.Thread.sleep(Thread.java:1)";

    @Test
    void aMonitorOfTheApplicationIsNoAccidentAndOneOfTheJdksIs() {
        assertThat(why(PinKind.ENTER, false, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.NOT);
        assertThat(why(PinKind.ENTER, false, "java.util.TimeZone.getTimeZone:1", List.of(OURS)))
                .isEqualTo(Incidental.JDK);
        assertThat(
                        why(
                                PinKind.PARK,
                                false,
                                "java.util.Hashtable.computeIfAbsent:1",
                                List.of(SLEEP, OURS)))
                .isEqualTo(Incidental.NOT);
    }

    @Test
    void aStackWithAnInitializerOrALoaderIsOne() {
        assertThat(
                        why(
                                PinKind.PARK,
                                false,
                                "a.B.c:12",
                                List.of(SLEEP, OURS, "app//a.D.<clinit>(D.java:1)")))
                .isEqualTo(Incidental.START);
        assertThat(
                        why(
                                PinKind.ENTER,
                                false,
                                "a.B.c:12",
                                List.of(
                                        "java.base/jdk.internal.loader.BuiltinClassLoader.loadClass(BuiltinClassLoader.java:1)",
                                        OURS)))
                .isEqualTo(Incidental.START);
        assertThat(why(PinKind.CLASS_INIT, false, "a.B.c:12", List.of(OURS)))
                .isEqualTo(Incidental.START);
        assertThat(why(PinKind.JVM, false, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.START);
    }

    @Test
    void aThreadThatWaitsForAMonitorThatNoCodeHasWaitsForAClassToBeLinked() {
        List<String> stack = List.of(OURS);
        assertThat(Incidental.why(PinKind.ENTER, false, "a.B.c:12", stack, false))
                .isEqualTo(Incidental.START);
        assertThat(Incidental.why(PinKind.ENTER, false, "a.B.c:12", stack, true))
                .isEqualTo(Incidental.NOT);
        assertThat(Incidental.why(PinKind.ENTER, false, "(unattributed)", List.of(), false))
                .isEqualTo(Incidental.UNKNOWN);
        assertThat(Incidental.why(PinKind.PARK, false, "a.B.c:12", stack, false))
                .isEqualTo(Incidental.NOT);
    }

    @Test
    void whereMonitorsPinThoseAreOfCodeThatAreKnownOrOfSynchronizedMethods() {
        String here = "app//" + IncidentalTest.class.getName();
        List<String> plain = List.of(here + ".plain(IncidentalTest.java:1)", OURS);
        assertThat(EnteredMonitor.mayBeOfCode(true, "", "monitor", plain)).isFalse();
        assertThat(EnteredMonitor.mayBeOfCode(true, "a.Lock", "monitor", plain)).isTrue();
        List<String> guarded = List.of(here + ".guarded(IncidentalTest.java:1)", OURS);
        assertThat(EnteredMonitor.mayBeOfCode(true, "", "monitor", guarded)).isTrue();
        // of a class that cannot be found nothing is known
        assertThat(EnteredMonitor.mayBeOfCode(true, "", "monitor", List.of(OURS))).isTrue();
    }

    @Test
    void whereMonitorsDoNotPinThoseAreOfCodeThatAreWaitedForWhileSomethingElsePins() {
        assertThat(EnteredMonitor.mayBeOfCode(false, "", "none", List.of(OURS))).isFalse();
        assertThat(EnteredMonitor.mayBeOfCode(false, "", "native", List.of(OURS))).isTrue();
    }

    static void plain() {}

    static synchronized void guarded() {}

    private static String why(
            PinKind kind, boolean compensated, String holder, List<String> stack) {
        return Incidental.why(kind, compensated, holder, stack, true);
    }

    @Test
    void nativeCodeCountsUnlessItIsTheJdksOrItsStackIsNotKnown() {
        assertThat(why(PinKind.NATIVE, false, "a.B.c:-2", List.of("a.B.c(Native Method)")))
                .isEqualTo(Incidental.NOT);
        assertThat(
                        why(
                                PinKind.NATIVE,
                                false,
                                "a.B.c:1",
                                List.of("java.base/sun.nio.fs.X.open0(Native Method)", OURS)))
                .isEqualTo(Incidental.JDK);
        assertThat(why(PinKind.NATIVE, false, "(unattributed)", List.of()))
                .isEqualTo(Incidental.UNKNOWN);
    }

    @Test
    void fileAccessCountsWhereNoCarrierCompensatesForIt() {
        assertThat(why(PinKind.IO, true, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.JDK);
        assertThat(why(PinKind.IO, false, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.NOT);
    }

    @Test
    void aParkCountsAlsoWithoutAStack() {
        assertThat(why(PinKind.PARK, false, "(unattributed)", List.of())).isEqualTo(Incidental.NOT);
    }
}
