/**
 * Samples the carriers, and finds pins that no hook reports. Writes to {@code ledger}, drives
 * {@code usage}, and feeds {@code diagnosis}. Used by {@code exporter} and {@code metrics}.
 *
 * <p>{@code CarrierSampler} takes the samples, {@code SampledPins} makes pins of them, and {@code
 * DurationEstimate} estimates how long these lasted. {@code JfrSensor} starts JFR if {@code
 * JfrStartPolicy} finds that worth its cost, and {@code JfrReconciler} matches its events with
 * sampled pins.
 */
package io.vtagent.sampler;
