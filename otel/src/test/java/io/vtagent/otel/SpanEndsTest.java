package io.vtagent.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpanEndsTest {
    private final Function<Object, @Nullable Object> identity = SpanEnds.identity();
    private final List<Object> ended = new ArrayList<>();

    @Test
    void aSpanHasTheSameIdentityInEachOfItsContextsAndAtItsEnd() {
        Span span = span(Sampler.alwaysOn());
        Context context = Context.root().with(span);
        Object its = identity.apply(context);
        assertThat(its).isNotNull();
        assertThat(identity.apply(context.with(ContextKey.named("more"), "value"))).isEqualTo(its);
        assertThat(identity.apply(Context.root().with(span(Sampler.alwaysOn())))).isNotEqualTo(its);

        span.end();
        assertThat(ended).containsExactly(its);
    }

    @Test
    void aSpanThatIsNotRecordedHasNone() {
        Span unsampled = span(Sampler.alwaysOff());
        assertThat(identity.apply(Context.root().with(unsampled))).isNull();
        assertThat(identity.apply(Context.root())).isNull();
        assertThat(identity.apply("no context")).isNull();

        unsampled.end();
        assertThat(ended).isEmpty();
    }

    private Span span(Sampler sampler) {
        SpanEnds processor = new SpanEnds();
        processor.accept(
                span -> {
                    ended.add(span);
                    return List.<Map<String, Object>>of();
                });
        return SdkTracerProvider.builder()
                .setSampler(sampler)
                .addSpanProcessor(processor)
                .build()
                .get("test")
                .spanBuilder("span")
                .startSpan();
    }
}
