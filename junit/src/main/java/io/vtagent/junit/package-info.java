/**
 * Tests that fail when code pins: {@link io.vtagent.junit.ShouldNotPin} and its kin. Talks to the agent by JMX alone, and has no class of the
 * agent's; {@code PinAgent} uses nothing but {@code java.base}, since it runs before {@code main}.
 */
@NullMarked
package io.vtagent.junit;

import org.jspecify.annotations.NullMarked;
