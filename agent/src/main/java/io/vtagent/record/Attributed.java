package io.vtagent.record;

/**
 * The site and reason that a pin is attributed to.
 *
 * @param reason the reason why the thread could not unmount, as precise as the stack of this pin
 *     shows it; pins of one site may have different reasons
 */
record Attributed(Site site, PinReason reason) {}
