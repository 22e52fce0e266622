package io.vtagent.exporter.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpSettingsTest {

    @Test
    void withoutVariablesEverythingIsAsTheSpecificationHasIt() {
        OtlpSettings settings = OtlpSettings.of(Map.of());

        assertThat(settings.resource())
                .containsEntry("service.name", "unknown_service:java")
                .containsOnlyKeys("service.name", "service.instance.id");
        assertThat(settings.headers()).isEmpty();
        assertThat(settings.gzip()).isFalse();
        assertThat(settings.everyNanos()).isEqualTo(60_000_000_000L);
        assertThat(settings.timeoutNanos()).isEqualTo(10_000_000_000L);
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void anEmptyVariableIsAsGoodAsNone() {
        OtlpSettings settings =
                OtlpSettings.of(
                        Map.of(
                                "OTEL_SERVICE_NAME",
                                "",
                                "OTEL_RESOURCE_ATTRIBUTES",
                                "",
                                "OTEL_METRIC_EXPORT_INTERVAL",
                                " ",
                                "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT",
                                "",
                                "OTEL_EXPORTER_OTLP_TIMEOUT",
                                "7"));

        assertThat(settings.resource()).containsEntry("service.name", "unknown_service:java");
        assertThat(settings.everyNanos()).isEqualTo(60_000_000_000L);
        assertThat(settings.timeoutNanos()).isEqualTo(7_000_000L);
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void theNameOfTheServiceWinsOverTheAttribute() {
        Map<String, String> attributes =
                Map.of("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,service.instance.id=7,k=%C3%BC");

        assertThat(OtlpSettings.of(attributes).resource())
                .isEqualTo(Map.of("service.name", "a", "service.instance.id", "7", "k", "ü"));
        assertThat(
                        OtlpSettings.of(
                                        Map.of(
                                                "OTEL_SERVICE_NAME",
                                                "b",
                                                "OTEL_RESOURCE_ATTRIBUTES",
                                                "service.name=a"))
                                .resource())
                .containsEntry("service.name", "b");
    }

    @Test
    void twoInstancesOfAServiceAreTwo() {
        assertThat(OtlpSettings.of(Map.of()).resource().get("service.instance.id"))
                .isNotEqualTo(OtlpSettings.of(Map.of()).resource().get("service.instance.id"));
    }

    @Test
    void attributesWithAMistakeAreAllIgnoredWithASentence() {
        OtlpSettings settings = OtlpSettings.of(Map.of("OTEL_RESOURCE_ATTRIBUTES", "k=v,oops"));

        assertThat(settings.resource()).containsOnlyKeys("service.name", "service.instance.id");
        assertThat(settings.warnings())
                .containsExactly(
                        "OTEL_RESOURCE_ATTRIBUTES has a value that otlp does not support,"
                                + " expected key=value pairs separated by commas,"
                                + " percent-encoded; it is ignored");
    }

    @Test
    void theVariableForMetricsTakesThePlaceOfTheOneForAll() {
        OtlpSettings settings =
                OtlpSettings.of(
                        Map.of(
                                "OTEL_EXPORTER_OTLP_HEADERS", "a=1,b=2",
                                "OTEL_EXPORTER_OTLP_METRICS_HEADERS", "b=%203,c=x%3D",
                                "OTEL_EXPORTER_OTLP_COMPRESSION", "none",
                                "OTEL_EXPORTER_OTLP_METRICS_COMPRESSION", "gzip",
                                "OTEL_METRIC_EXPORT_INTERVAL", "100"));

        assertThat(settings.headers()).isEqualTo(Map.of("b", " 3", "c", "x="));
        assertThat(settings.gzip()).isTrue();
        assertThat(settings.everyNanos()).isEqualTo(100_000_000L);
        assertThat(OtlpSettings.of(Map.of("OTEL_EXPORTER_OTLP_HEADERS", "a=1")).headers())
                .isEqualTo(Map.of("a", "1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3cret",
                "a=s3cret%0D%0AX:y",
                "a b=s3cret",
                "a=s3cret%00",
                "a=s3cr%C3%BCt",
                "a:=s3cret"
            })
    void headersThatCannotBeSentAreIgnoredAndNotShown(String given) {
        OtlpSettings settings = OtlpSettings.of(Map.of("OTEL_EXPORTER_OTLP_HEADERS", given));

        assertThat(settings.headers()).isEmpty();
        assertThat(settings.warnings())
                .singleElement()
                .asString()
                .startsWith("OTEL_EXPORTER_OTLP_HEADERS has a value that otlp does not support")
                .doesNotContain("s3cr");
        assertThat(settings.toString()).doesNotContain("s3cr");
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_METRIC_EXPORT_INTERVAL, 99",
        "OTEL_METRIC_EXPORT_INTERVAL, -1",
        "OTEL_METRIC_EXPORT_INTERVAL, 60s",
        "OTEL_METRIC_EXPORT_INTERVAL, 99999999999999999999",
        "OTEL_EXPORTER_OTLP_TIMEOUT, 0",
        "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT, forever",
        "OTEL_EXPORTER_OTLP_COMPRESSION, zstd",
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE, delta",
        "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE, LowMemory"
    })
    void whatCannotBeUsedIsIgnoredWithASentence(String variable, String value) {
        OtlpSettings settings = OtlpSettings.of(Map.of(variable, value));

        assertThat(settings.warnings())
                .singleElement()
                .asString()
                .startsWith(variable + " has a value that");
        assertThat(settings.everyNanos()).isEqualTo(60_000_000_000L);
        assertThat(settings.timeoutNanos()).isEqualTo(10_000_000_000L);
        assertThat(settings.gzip()).isFalse();
    }

    @Test
    void cumulativeIsWhatIsPushed() {
        assertThat(
                        OtlpSettings.of(
                                        Map.of(
                                                "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
                                                "Cumulative"))
                                .warnings())
                .isEmpty();
    }
}
