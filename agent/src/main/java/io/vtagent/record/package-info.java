/**
 * The recorded measurements: pins that ended, pins in progress, and the sites they are attributed
 * to. {@code Hooks} records pins, and {@code Ledger} keeps them. Depends on {@code probe}, {@code
 * site}, {@code scheduler} and the packages that access the JVM and the kernel.
 */
package io.vtagent.record;
