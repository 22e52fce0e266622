package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class IncidentalTest {
    private static final String OURS = "a.B.c(B.java:12)";
    private static final String SLEEP = "java.base/java.lang.Thread.sleep(Thread.java:1)";

    @Test
    void aMonitorOfTheApplicationIsNoAccidentAndOneOfTheJdksIs() {
        assertThat(Incidental.why(PinKind.ENTER, false, "a.B.c:12", List.of(OURS)))
                .isEqualTo(Incidental.NOT);
        assertThat(Incidental.why(PinKind.ENTER, false, "java.util.TimeZone.getTimeZone:1", List.of(OURS)))
                .isEqualTo(Incidental.JDK);
        assertThat(Incidental.why(PinKind.PARK, false, "java.util.Hashtable.computeIfAbsent:1", List.of(SLEEP, OURS)))
                .isEqualTo(Incidental.NOT);
    }

    @Test
    void aStackWithAnInitializerOrALoaderIsOne() {
        assertThat(Incidental.why(PinKind.PARK, false, "a.B.c:12", List.of(SLEEP, OURS, "app//a.D.<clinit>(D.java:1)")))
                .isEqualTo(Incidental.START);
        assertThat(Incidental.why(
                        PinKind.ENTER,
                        false,
                        "a.B.c:12",
                        List.of(
                                "java.base/jdk.internal.loader.BuiltinClassLoader.loadClass(BuiltinClassLoader.java:1)",
                                OURS)))
                .isEqualTo(Incidental.START);
        assertThat(Incidental.why(PinKind.CLASS_INIT, false, "a.B.c:12", List.of(OURS)))
                .isEqualTo(Incidental.START);
        assertThat(Incidental.why(PinKind.JVM, false, "a.B.c:12", List.of(OURS)))
                .isEqualTo(Incidental.START);
    }

    @Test
    void nativeCodeCountsUnlessItIsTheJdksOrItsStackIsNotKnown() {
        assertThat(Incidental.why(PinKind.NATIVE, false, "a.B.c:-2", List.of("a.B.c(Native Method)")))
                .isEqualTo(Incidental.NOT);
        assertThat(Incidental.why(
                        PinKind.NATIVE, false, "a.B.c:1", List.of("java.base/sun.nio.fs.X.open0(Native Method)", OURS)))
                .isEqualTo(Incidental.JDK);
        assertThat(Incidental.why(PinKind.NATIVE, false, "(unattributed)", List.of()))
                .isEqualTo(Incidental.UNKNOWN);
    }

    @Test
    void fileAccessCountsWhereNoCarrierMakesUpForIt() {
        assertThat(Incidental.why(PinKind.IO, true, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.JDK);
        assertThat(Incidental.why(PinKind.IO, false, "a.B.c:12", List.of(OURS))).isEqualTo(Incidental.NOT);
    }

    @Test
    void aParkCountsAlsoWithoutAStack() {
        assertThat(Incidental.why(PinKind.PARK, false, "(unattributed)", List.of()))
                .isEqualTo(Incidental.NOT);
    }
}
