/**
 * Samples the carriers, finds pins that no hook reports, and reconciles them with JFR events.
 * Writes to {@code ledger}, drives {@code usage}, and feeds {@code diagnosis}.
 */
package io.vtagent.sampler;
