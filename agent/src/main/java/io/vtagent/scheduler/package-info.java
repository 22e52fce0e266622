/**
 * The scheduler of virtual threads: its carriers, its figures, and how it compensates. Depends on
 * {@code jvm}.
 */
package io.vtagent.scheduler;
