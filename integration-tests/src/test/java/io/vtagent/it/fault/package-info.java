/**
 * An agent that comes before the one under test and makes named methods of it fail. It runs in
 * forked JVMs, where workloads and tests decide what fails when.
 */
@NullMarked
package io.vtagent.it.fault;

import org.jspecify.annotations.NullMarked;
