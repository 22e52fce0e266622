package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DetachCommandTest {
    @Test
    void whatStaysBehindIsReportedAndTheProcessGoesOn() {
        assertThat(DetachCommand.sentence("detached", 7))
                .isEqualTo("vt-agent was detached, process 7 continues without it");
        assertThat(DetachCommand.sentence("detached; these blocks stay", 7))
                .isEqualTo(
                        "vt-agent was detached, process 7 continues without it; these blocks stay");
    }
}
