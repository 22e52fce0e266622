/**
 * The case {@code executors}: tasks that block, on virtual threads and on pools; it depends on the
 * JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.executors;
