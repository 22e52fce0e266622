/**
 * The hot path: the probe calls {@code Hooks} on the application's threads. They make pins of the
 * calls, find their sites, request relief, and count the pins at the slot of their carrier. No
 * method that the probe calls may block. Depends on {@code pin}, {@code probe}, {@code site} and
 * the packages that access the JVM and the kernel. {@code ledger} reads what was counted.
 *
 * <p>{@code Attribution} finds the site, {@code CarrierSlot} is the state of a carrier, and {@code
 * CarrierCompensator} is what relief implements.
 */
package io.vtagent.hook;
