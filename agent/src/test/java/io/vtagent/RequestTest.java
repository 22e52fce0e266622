package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestTest {
    @Test
    void aWaitForAnAnswerNeedsANumberAndAVersion() {
        assertThat(Request.of("@7,0.1.0,port=0,report=off"))
                .isEqualTo(new Request("7", "0.1.0", "port=0,report=off"));
        assertThat(Request.of("@99,,")).isEqualTo(new Request("99", "", ""));
    }

    @Test
    void whatHasNoNumberIsACommandAsItIs() {
        assertThat(Request.of(null)).isEqualTo(new Request("", "", null));
        assertThat(Request.of("detach")).isEqualTo(new Request("", "", "detach"));
        assertThat(Request.of("@x,,port=0").command()).isEqualTo("@x,,port=0");
        assertThat(Request.of("@1234,,port=0").command()).isEqualTo("@1234,,port=0");
    }

    @Test
    void anotherVersionThanTheOneThatIsMeantDoesNotCome() {
        assertThat(new Request("7", "0.0.1", "").refusal())
                .contains("has classes of vt-agent", "expected the same version");
        assertThat(new Request("7", "", "").refusal()).isNull();
    }
}
