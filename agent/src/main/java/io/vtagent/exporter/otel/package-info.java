/**
 * What the agent gives to OpenTelemetry's agent if that one has started it: meters for its SDK, and
 * pins for its spans. Uses no class of OpenTelemetry; see {@link io.vtagent.exporter.otel.OtelSdk}.
 * Depends on {@code metrics}, {@code pin}, {@code jvm}, {@code log} and, for Micrometer's logging,
 * on {@code exporter.http}.
 */
package io.vtagent.exporter.otel;
