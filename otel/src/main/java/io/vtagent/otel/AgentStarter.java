package io.vtagent.otel;

import io.opentelemetry.javaagent.bootstrap.InstrumentationHolder;
import io.opentelemetry.javaagent.extension.AgentListener;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.vtagent.AgentClassLoader;
import io.vtagent.exporter.otel.OtelSdk;
import java.io.File;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Starts vt-agent when OpenTelemetry's agent has been installed. */
public final class AgentStarter implements AgentListener {
    private static final String AGENT = "io.vtagent.Agent$InOpenTelemetry";

    /** Called by OpenTelemetry's agent. A failure is one line on stderr. */
    @Override
    @SuppressWarnings("unchecked")
    public void afterAgent(AutoConfiguredOpenTelemetrySdk autoConfigured) {
        try {
            Instrumentation instrumentation =
                    Objects.requireNonNull(
                            InstrumentationHolder.getInstrumentation(), "no Instrumentation");
            File jar = ExtensionJar.find(SdkCustomizer.extensions());
            ((BiConsumer<Map<String, Object>, Instrumentation>)
                            Class.forName(AGENT, true, new AgentClassLoader(jar))
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
        SpanEnds spanEnds = SdkCustomizer.spanEnds();
        Map<String, Object> parts = new HashMap<>();
        parts.put(
                OtelSdk.METERS,
                new SdkMeters(autoConfigured.getOpenTelemetrySdk().getMeterProvider()));
        if (!spanEnds.isAdded()) {
            parts.put(
                    OtelSdk.NO_SPANS,
                    "an OpenTelemetry that is configured by a file (otel.config.file) does not"
                            + " report when spans end");
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
