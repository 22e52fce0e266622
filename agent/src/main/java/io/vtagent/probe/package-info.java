/**
 * The methods that instrumented code calls. These classes use only {@code java.base}: the build
 * moves them to the package {@code java.lang}, and at run time the agent defines them into {@code
 * java.base}, where every class loader finds them.
 */
package io.vtagent.probe;
