/**
 * The agent's MXBean. Depends on {@code report}, {@code pin}, {@code ledger}, {@code site}, {@code
 * diagnosis}, {@code json} and {@code log}; the only user of {@code javax.management}.
 */
package io.vtagent.exporter.jmx;
