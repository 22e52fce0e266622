package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class ChildJvmTest {

    @Test
    void theEndpointIsWhatTheAgentNames() {
        assertThat(
                        ChildJvm.endpointIn(
                                "[vt-agent] 1.0 on JDK 21: sensors park, wait;"
                                        + " http://127.0.0.1:40957/metrics"))
                .hasValue(URI.create("http://127.0.0.1:40957/metrics"));
        assertThat(
                        ChildJvm.endpointIn(
                                "[vt-agent] see http://127.0.0.1:1/metrics, and http://127.0.0.1:1/"
                                        + " for people"))
                .hasValue(URI.create("http://127.0.0.1:1/metrics"));
    }

    @Test
    void anAddressInAnyOtherLineIsNotTheEndpoint() {
        assertThat(ChildJvm.endpointIn("listening at http://127.0.0.1:40957/metrics")).isEmpty();
        assertThat(ChildJvm.endpointIn("[vt-agent] cannot listen on 127.0.0.1:21491")).isEmpty();
    }

    @Test
    void theAgentStaysOutOnlyWhereItLogsThatItDoesSoForPinsThatTheJdkPrints() {
        assertThat(
                        ChildJvm.staysOut(
                                "[vt-agent] JDK 21.0.8: with -Djdk.tracePinnedThreads the JVM"
                                        + " hangs; the application runs without the agent"))
                .isTrue();
        assertThat(
                        ChildJvm.staysOut(
                                "[vt-agent] there is no option \"x\"; the application runs without"
                                        + " the agent"))
                .isFalse();
        assertThat(ChildJvm.staysOut("-Djdk.tracePinnedThreads runs without the agent")).isFalse();
    }
}
