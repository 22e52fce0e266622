package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpUrlTest {

    @ParameterizedTest
    @CsvSource({
        "http://localhost:4318, false, localhost, 4318, /v1/metrics",
        "http://localhost:4318/, false, localhost, 4318, /v1/metrics",
        "http://localhost:1, false, localhost, 1, /v1/metrics",
        "http://localhost:65535, false, localhost, 65535, /v1/metrics",
        "HTTP://h, false, h, 80, /v1/metrics",
        "https://h, true, h, 443, /v1/metrics",
        "https://h?k=v, true, h, 443, /v1/metrics?k=v",
        "https://h/otlp/v1/metrics?k=v, true, h, 443, /otlp/v1/metrics?k=v",
        "http://otel_collector:4318, false, otel_collector, 4318, /v1/metrics",
        "http://[::1]:4318/x, false, ::1, 4318, /x",
        "http://h/a%20b/ü, false, h, 80, /a%20b/%C3%BC",
        "http://h//x, false, h, 80, //x"
    })
    void withoutAPathItIsTheOneOfOtlp(
            String text, boolean tls, String host, int port, String target) {
        assertThat(OtlpUrl.of(text)).isEqualTo(new OtlpUrl(tls, host, port, target));
    }

    @ParameterizedTest
    @CsvSource({
        "http://h:80, h",
        "https://h:443/, h",
        "http://h:443, h:443",
        "https://[::1]:80, [::1]:80",
        "http://[::1], [::1]"
    })
    void theAuthorityNamesThePortUnlessItIsTheSchemes(String text, String authority) {
        OtlpUrl url = OtlpUrl.of(text);

        assertThat(url).isNotNull().extracting(OtlpUrl::authority).isEqualTo(authority);
    }

    @Test
    void neitherPathNorQueryIsPrinted() {
        assertThat(OtlpUrl.of("https://h:1/s3cret?s3cret")).hasToString("https://h:1");
    }

    @Test
    void whatIsVeryLongIsNoUrl() {
        assertThat(OtlpUrl.of("http://h/" + "x".repeat(3_000))).isNull();
    }
}
