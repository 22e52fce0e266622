/**
 * A reference for how a carrier's time is spent, found by sampling and independent of the agent,
 * and workloads to compare with it. They run in forked JVMs and depend on the JDK, and each on the
 * one library that it is about.
 */
@NullMarked
package io.vtagent.it.reference;

import org.jspecify.annotations.NullMarked;
