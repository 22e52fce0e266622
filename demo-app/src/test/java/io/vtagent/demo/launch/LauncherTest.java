package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class LauncherTest {
    @Test
    void theAddressesOfThePageAndOfTheMetricsAreShown() {
        assertThat(Launcher.addresses(URI.create("http://127.0.0.1:21491/metrics")).lines())
                .containsExactly(
                        "The page: http://127.0.0.1:21491/",
                        "Metrics:  http://127.0.0.1:21491/metrics");
    }
}
