package io.vtagent.otel;

import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import io.opentelemetry.javaagent.extension.AgentListener;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.vtagent.exporter.otel.OtelSdk;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Starts vt-agent when OpenTelemetry's agent has been installed. Below Java 21 that is one line on
 * stderr.
 */
public final class AgentStarter implements AgentListener {
    // linked late, because its class file is one of Java 21
    private static final String CLASS_LOADER = "io.vtagent.AgentClassLoader";
    private static final String AGENT = "io.vtagent.Agent$InOpenTelemetry";

    /** Called by OpenTelemetry's agent. A failure is one line on stderr. */
    @Override
    @SuppressWarnings("unchecked")
    public void afterAgent(AutoConfiguredOpenTelemetrySdk autoConfigured) {
        if (!JavaVersion.hasVirtualThreads()) {
            System.err.println(
                    "[vt-agent] "
                            + JavaVersion.tooOld()
                            + ": the application runs without the agent");
            return;
        }
        try {
            Instrumentation instrumentation =
                    Objects.requireNonNull(
                            InstrumentationHolder.getInstrumentation(), "no Instrumentation");
            File jar = ExtensionJar.find(SdkCustomizer.extensions());
            ClassLoader own =
                    Class.forName(CLASS_LOADER)
                            .asSubclass(ClassLoader.class)
                            .getConstructor(File.class)
                            .newInstance(jar);
            ((BiConsumer<Map<String, Object>, Instrumentation>)
                            Class.forName(AGENT, true, own)
                                    .asSubclass(BiConsumer.class)
                                    .getConstructor()
                                    .newInstance())
                    .accept(parts(autoConfigured), instrumentation);
        } catch (Throwable failure) {
            System.err.println(
                    "[vt-agent] cannot start, the application runs without the agent: " + failure);
        }
    }

    private static Map<String, Object> parts(AutoConfiguredOpenTelemetrySdk autoConfigured) {
        Map<String, Object> parts = new HashMap<>();
        parts.put(
                OtelSdk.METERS,
                new SdkMeters(autoConfigured.getOpenTelemetrySdk().getMeterProvider()));
        SpanProcessor spanEnds = SdkCustomizer.spanEnds();
        if (spanEnds == null) {
            parts.put(OtelSdk.NO_SPANS, SdkCustomizer.noSpanEnds());
            return parts;
        }
        try {
            parts.put(OtelSdk.CONTEXT, CurrentContext.find());
            parts.put(OtelSdk.IDENTITY, SpanEnds.identity());
            parts.put(OtelSdk.ADD_EVENT, SpanEnds.adder());
            parts.put(OtelSdk.BEFORE_SPAN_ENDS, spanEnds);
        } catch (ReflectiveOperationException | RuntimeException missing) {
            parts.put(
                    OtelSdk.NO_SPANS,
                    "this version of OpenTelemetry keeps the current context elsewhere: "
                            + missing);
        }
        return parts;
    }
}
