/**
 * Puts calls of the probe into the JDK and into the application, and proves that they arrive. This
 * package is the only user of Byte Buddy, and uses only its ASM: {@code Advice} alone would add
 * more to every start than the whole agent does.
 */
package io.vtagent.instrument;
