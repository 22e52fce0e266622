/**
 * Explains starvation: why every carrier is held while work is queued, and what the threads wait
 * for. Also finds where all virtual threads wait. Depends on {@code pin}, {@code site}, {@code
 * scheduler} and {@code hotspot}.
 *
 * <p>{@code Starvation} detects it, {@code DiagnosisBuilder} reads the threads, and {@code Verdict}
 * finds the reason. {@code ThreadGroupReader} groups waiting threads by their stacks.
 */
package io.vtagent.diagnosis;
