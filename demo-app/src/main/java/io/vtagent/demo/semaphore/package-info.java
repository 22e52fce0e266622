/**
 * The case {@code semaphore}: a service that stands few requests at a time, with a semaphore before
 * it and without; it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.semaphore;
