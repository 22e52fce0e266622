/**
 * The case {@code file-io}: pipes that are read as files and as channels; it depends on the JDK and
 * on what the cases share, and on no other case.
 */
package io.vtagent.demo.fileio;
