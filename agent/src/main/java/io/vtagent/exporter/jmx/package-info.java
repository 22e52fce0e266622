/**
 * The agent's MXBean. Uses {@code report}, {@code record}, {@code vm}'s stacks, {@code json},
 * {@code thread} and {@code log}; the only user of {@code javax.management}.
 */
package io.vtagent.exporter.jmx;
