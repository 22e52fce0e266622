package io.vtagent.otel;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds a processor of spans to OpenTelemetry's SDK while that is configured. */
public final class SdkCustomizer implements AutoConfigurationCustomizerProvider {
    private static final String EXTENSIONS = "otel.javaagent.extensions";
    private static final String EXTENSIONS_VARIABLE = "OTEL_JAVAAGENT_EXTENSIONS";

    private static final SpanEnds SPAN_ENDS = new SpanEnds();

    private static volatile @Nullable String configuredExtensions;

    /** Called by OpenTelemetry's SDK. */
    @Override
    public void customize(AutoConfigurationCustomizer customizer) {
        customizer.addTracerProviderCustomizer(SdkCustomizer::customize);
    }

    private static SdkTracerProviderBuilder customize(
            SdkTracerProviderBuilder builder, ConfigProperties config) {
        configuredExtensions = config.getString(EXTENSIONS);
        SPAN_ENDS.onAdded();
        return builder.addSpanProcessor(SPAN_ENDS);
    }

    static SpanEnds spanEnds() {
        return SPAN_ENDS;
    }

    /** Returns where the extensions are, as far as each source of that option has them. */
    static List<@Nullable String> extensions() {
        return Arrays.asList(
                System.getProperty(EXTENSIONS),
                System.getenv(EXTENSIONS_VARIABLE),
                configuredExtensions);
    }
}
