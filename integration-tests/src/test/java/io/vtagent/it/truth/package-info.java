/**
 * What a carrier's time is really spent on, found out by sampling and independent of the agent, and
 * workloads to hold it against. They run in forked JVMs and depend on the JDK, and each on the one
 * library that it is about.
 */
@NullMarked
package io.vtagent.it.truth;

import org.jspecify.annotations.NullMarked;
