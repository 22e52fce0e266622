/** The agent's MXBean. Uses {@code report}, {@code record}, {@code json}, {@code thread} and {@code log}; the only user of {@code javax.management}. */
package io.vtagent.jmx;
