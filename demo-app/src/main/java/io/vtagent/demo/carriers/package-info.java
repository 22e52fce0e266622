/**
 * The case {@code carriers}: the two settings of the carrier pool, under two kinds of pin; it
 * depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.carriers;
