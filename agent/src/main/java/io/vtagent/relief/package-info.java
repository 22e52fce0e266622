/**
 * Relief: gives the scheduler of virtual threads another carrier for each one that is held, as the
 * JDK itself does for {@code Object.wait} and file I/O. Depends on {@code diagnosis}, {@code
 * record} and {@code scheduler}.
 */
package io.vtagent.relief;
