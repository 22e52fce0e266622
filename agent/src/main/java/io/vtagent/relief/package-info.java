/**
 * Relief: gives the scheduler of virtual threads another carrier for each one that is held, as the
 * JDK itself does for {@code Object.wait} and file I/O. Depends on {@code pin}, {@code hook},
 * {@code diagnosis} and {@code scheduler}.
 *
 * <p>The hooks call {@code Relief} for each pin; {@code ReliefWhenStuck} waits until all carriers
 * are held. {@code Compensation} of {@code scheduler} adds the carrier.
 */
package io.vtagent.relief;
