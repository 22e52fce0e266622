/**
 * Puts calls of the probe into the JDK and into the application, and proves that they arrive. This
 * package is the only user of Byte Buddy, and uses only its ASM: {@code Advice} would add a quarter
 * of a second to every start (docs/performance.md).
 */
package io.vtagent.instrument;
