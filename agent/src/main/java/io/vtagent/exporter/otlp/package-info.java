/**
 * Metrics pushed to an OTLP receiver. The only user of OpenTelemetry's messages and of Protobuf,
 * and beside {@code cli} of outgoing connections. Depends on {@code options}, {@code metrics},
 * {@code thread}, {@code log} and, for Micrometer's logging, on {@code exporter.http}.
 */
package io.vtagent.exporter.otlp;
