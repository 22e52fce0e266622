/**
 * The case {@code metrics-map}: a map of counters that many want; it depends on the JDK and on what
 * the cases share, and on no other case.
 */
package io.vtagent.demo.metricsmap;
