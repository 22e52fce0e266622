/**
 * Samples the carriers, finds pins that no hook reports, and reconciles them with JFR events.
 * Writes to {@code record}, and feeds {@code diagnosis}.
 */
package io.vtagent.sampler;
