/**
 * The extension of OpenTelemetry's Java agent that starts vt-agent inside of it. Loaded by
 * OpenTelemetry's class loader for extensions, while the agent has its own: only types of the JDK
 * pass between them. Uses the agent's class loader and the keys of {@code OtelSdk}, nothing else of
 * the agent. Compiled for Java 8, as OpenTelemetry's agent is.
 */
package io.vtagent.otel;
