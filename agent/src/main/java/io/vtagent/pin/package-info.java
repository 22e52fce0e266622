/**
 * Pins and sites, with their figures, while a pin lasts and afterwards. Depends on {@code site} for
 * stacks. Used by all that find, keep or show pins.
 *
 * <p>{@code PinKind} lists the kinds, {@code PinReason} the reasons. {@code Site} has the totals of
 * a line of code.
 */
package io.vtagent.pin;
