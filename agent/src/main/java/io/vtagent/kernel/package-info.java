/**
 * What the operating system reports about threads, their CPU time and their waits for a CPU, and
 * about the CPU quotas of the process. Depends on {@code hotspot}, for the kernel's ids of threads,
 * and on {@code jvm}.
 */
package io.vtagent.kernel;
