/**
 * Relief: gives the scheduler of virtual threads another carrier for each one that is held, as the
 * JDK itself does for {@code Object.wait} and file I/O. Depends on {@code pin}, {@code hook},
 * {@code diagnosis} and {@code scheduler}.
 */
package io.vtagent.relief;
