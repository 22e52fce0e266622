/**
 * The case {@code blocking-style}: the same pages fetched by blocking code and by a chain of
 * stages; it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.blockingstyle;
