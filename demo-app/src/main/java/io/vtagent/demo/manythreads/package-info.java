/**
 * The case {@code many-threads}: threads that all live at a time, and the memory that they take; it
 * depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.manythreads;
