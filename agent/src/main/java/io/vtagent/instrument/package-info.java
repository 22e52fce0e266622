/**
 * Puts calls of the probe into the JDK and into the application, and proves that they arrive. The only user of Byte Buddy, of
 * which it takes ASM alone: its {@code Advice} would cost every start a quarter of a second (docs/performance.md).
 */
package io.vtagent.instrument;
