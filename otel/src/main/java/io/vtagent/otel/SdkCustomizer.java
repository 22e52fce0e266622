package io.vtagent.otel;

import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds a processor of spans to OpenTelemetry's SDK while that is configured. OpenTelemetry's agent
 * does not start if this class fails, so it links {@link SpanEnds} late.
 */
public final class SdkCustomizer implements AutoConfigurationCustomizerProvider {
    private static final String EXTENSIONS = "otel.javaagent.extensions";
    private static final String EXTENSIONS_VARIABLE = "OTEL_JAVAAGENT_EXTENSIONS";

    private static volatile @Nullable String configuredExtensions;
    private static volatile @Nullable SpanProcessor spanEnds;
    private static volatile String noSpanEnds =
            "OpenTelemetry's SDK is disabled or configured by a file (otel.config.file), and does"
                    + " not report when spans end";

    /** Called by OpenTelemetry's SDK. */
    @Override
    public void customize(AutoConfigurationCustomizer customizer) {
        if (JavaVersion.hasVirtualThreads()) {
            customizer.addTracerProviderCustomizer(SdkCustomizer::customize);
        }
    }

    private static SdkTracerProviderBuilder customize(
            SdkTracerProviderBuilder builder, ConfigProperties config) {
        configuredExtensions = config.getString(EXTENSIONS);
        SpanProcessor known = spanEnds;
        try {
            SpanProcessor added = known == null ? new SpanEnds() : known;
            builder.addSpanProcessor(added);
            spanEnds = added;
        } catch (LinkageError missing) { // its interface is an internal one of OpenTelemetry
            noSpanEnds = "this version of OpenTelemetry does not report when spans end: " + missing;
        }
        return builder;
    }

    /** Returns the {@link SpanEnds} that the SDK calls; null if there is none. */
    static @Nullable SpanProcessor spanEnds() {
        return spanEnds;
    }

    /** Returns why {@link #spanEnds} is null. */
    static String noSpanEnds() {
        return noSpanEnds;
    }

    /** Returns where the extensions are, as far as each source of that option has them. */
    static List<@Nullable String> extensions() {
        return Arrays.asList(
                System.getProperty(EXTENSIONS),
                System.getenv(EXTENSIONS_VARIABLE),
                configuredExtensions);
    }
}
