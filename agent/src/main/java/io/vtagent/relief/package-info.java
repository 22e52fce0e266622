/**
 * Gives the scheduler of virtual threads a carrier for each one that is held, as the JDK itself does for {@code Object.wait} and file
 * I/O. Depends on {@code record} and {@code vm}.
 */
package io.vtagent.relief;
