/**
 * The case {@code thread-locals}: an object that every thread has of its own, and one that they
 * share; it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.threadlocals;
