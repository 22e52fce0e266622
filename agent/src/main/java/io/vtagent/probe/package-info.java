/**
 * What instrumented code calls. These classes use {@code java.base} only: the build moves them to the package {@code
 * java.lang}, and at run time they are defined into {@code java.base}, where every class loader finds them.
 */
package io.vtagent.probe;
