/**
 * What was measured: the pins that ended, the pins in progress, the sites they are attributed to. {@code Hooks} notices pins, and {@code
 * Ledger} keeps them. Depends on {@code probe} and {@code vm}.
 */
package io.vtagent.record;
