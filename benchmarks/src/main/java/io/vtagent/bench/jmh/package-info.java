/** Benchmarks of JMH's, which run in forks of their own. */
package io.vtagent.bench.jmh;
