/**
 * Pins and sites, with their figures: kind, reason, thread and duration of a pin, while it lasts
 * and afterwards, and the counters of many. Depends on {@code site} for stacks. Used by all that
 * find, keep or show pins.
 */
package io.vtagent.pin;
