/**
 * The diagnosis of starvation: finds why every carrier is held while work is queued, and what the
 * threads wait for. Also finds where all virtual threads wait. Depends on {@code pin}, {@code
 * site}, {@code scheduler} and {@code hotspot}.
 */
package io.vtagent.diagnosis;
