/**
 * Tools that the demo's case {@code finding} puts beside the agent; they depend on {@code
 * io.vtagent.demo.finding.PinFinder}, and on async-profiler and Micrometer, which nothing else of
 * the demo does.
 */
package io.vtagent.demo.finding.tools;
