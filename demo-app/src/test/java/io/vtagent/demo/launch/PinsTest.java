package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.demo.text.PrometheusText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PinsTest {

    private static final String METRICS =
            """
            vthread_pinned_seconds_count{compensated="false",kind="enter",reason="monitor"} 7
            vthread_pinned_seconds_sum{compensated="false",kind="enter",reason="monitor"} 0.5
            vthread_pinned_seconds_count{compensated="false",kind="park",reason="monitor"} 40
            vthread_pinned_seconds_sum{compensated="false",kind="park",reason="monitor"} 2.0
            vthread_pinned_seconds_count{compensated="false",kind="park",reason="native"} 10
            vthread_pinned_seconds_sum{compensated="false",kind="park",reason="native"} 0.25
            vthread_pinned_seconds_count{compensated="true",kind="io",reason="none"} 0
            vthread_pinned_seconds_sum{compensated="true",kind="io",reason="none"} 0.0
            vthread_pinned_seconds_max{compensated="false",kind="park",reason="monitor"} 9.0
            vthread_pinned_site_seconds_count{kind="enter",operation="synchronized",site="a.B.c:1"} 7
            vthread_pinned_site_seconds_sum{kind="enter",operation="synchronized",site="a.B.c:1"} 0.5
            vthread_pinned_site_seconds_sum{kind="park",operation="java.lang.Thread.sleep",site="a.B.c:2"} 2.25
            vthread_pinned_site_seconds_count{kind="park",operation="java.lang.Thread.sleep",site="a.B.c:2"} 50
            vthread_pinned_site_seconds_count{kind="park",operation="(other)",site="(other)"} 0
            vthread_pinned_site_seconds_sum{kind="park",operation="(other)",site="(other)"} 0
            """;

    @Test
    void theTimeHeldIsTheSumOverAllTags() throws Exception {
        assertThat(pins(METRICS).heldSeconds()).isEqualTo(2.75);
    }

    @Test
    void pinsAreCountedByKindInTheOrderOfTheContract() throws Exception {
        assertThat(pins(METRICS).countByKind().toString()).isEqualTo("{park=50, enter=7}");
    }

    @Test
    void theSitesWithTheMostTimeComeFirst() throws Exception {
        assertThat(pins(METRICS).sites())
                .containsExactly(
                        new Pins.Site("a.B.c:2", "java.lang.Thread.sleep", "park", 50, 2.25),
                        new Pins.Site("a.B.c:1", "synchronized", "enter", 7, 0.5));
    }

    @Test
    void withoutPinsThereIsNothing() throws Exception {
        Pins pins =
                pins(
                        "vthread_pinned_seconds_count{kind=\"park\"} 0\n"
                                + "vthread_pinned_seconds_sum{kind=\"park\"} 0\n");

        assertThat(pins).isEqualTo(new Pins(0, Map.of(), List.of()));
    }

    @Test
    void carriersThatAreStillHeldAreReportedSinceTheSumsLeaveThemOut() throws Exception {
        String active =
                "vthread_pinned_active{kind=\"park\"} 3\nvthread_pinned_active{kind=\"enter\"} 1\n";

        assertThat(
                        Pins.stillHeld(
                                PrometheusText.parse(
                                        active + "vthread_pinned_active_longest_seconds 2.5\n")))
                .contains(
                        "Carriers that are still held: 4, the longest for 2.50 s, which the time"
                                + " held leaves out.");
        assertThat(
                        Pins.stillHeld(
                                PrometheusText.parse(
                                        active + "vthread_pinned_active_longest_seconds 0.5\n")))
                .isEmpty();
    }

    @Test
    void anEndpointWithoutTheMeterIsNotTakenForARunWithoutPins() {
        assertThatThrownBy(() -> pins("jvm_threads 3"))
                .isInstanceOf(LaunchException.class)
                .hasMessage("the agent's endpoint shows no vthread_pinned_seconds");
    }

    private static Pins pins(String metrics) throws LaunchException {
        return Pins.of(PrometheusText.parse(metrics));
    }
}
