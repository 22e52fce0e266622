/**
 * Metrics pushed to an OTLP receiver. The only user of the messages of OpenTelemetry, of Protobuf and of outgoing connections. Depends on
 * {@code options}, {@code metrics}, {@code thread} and {@code log}, and of {@code export} what Micrometer logs by.
 */
package io.vtagent.otlp;
