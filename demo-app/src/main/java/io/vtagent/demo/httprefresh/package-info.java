/**
 * The case {@code http-refresh}: HTTP clients that refresh their token with a lock held; it depends
 * on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.httprefresh;
