/**
 * An application that holds carriers in every way at once, and samples its threads meanwhile.
 * Depends on the JDK alone.
 */
@NullMarked
package io.vtagent.it.stress;

import org.jspecify.annotations.NullMarked;
