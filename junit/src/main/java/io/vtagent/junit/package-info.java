/**
 * JUnit annotations that make a test fail when code pins, such as {@link
 * io.vtagent.junit.ShouldNotPin}. The package uses the agent through JMX only and contains no class
 * of it. {@code PinAgent} uses only {@code java.base} and {@code java.instrument}, because it runs
 * before {@code main}.
 */
@NullMarked
package io.vtagent.junit;

import org.jspecify.annotations.NullMarked;
