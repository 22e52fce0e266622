/**
 * Puts calls of the probe into the JDK and into the application, and proves that they arrive.
 * Except for one class that {@code jvm} makes, this package is the only user of Byte Buddy, and
 * uses only its ASM: {@code Advice} alone would add more to every start than the whole agent does.
 *
 * <p>{@code Installer} is the entry. {@code JdkTransformer} inserts the hooks that {@code JdkHook}
 * lists, {@code MonitorTransformer} wraps {@code synchronized}, and {@code SelfTest} proves both.
 * {@code StartupGate} lets the application's first carrier wait until the hooks are there.
 */
package io.vtagent.instrument;
