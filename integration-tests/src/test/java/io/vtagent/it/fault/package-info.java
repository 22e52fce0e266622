/**
 * An agent that comes before the one under test and has named methods of it fail. It runs in forked
 * JVMs, where workloads and tests say what is to fail when.
 */
@NullMarked
package io.vtagent.it.fault;

import org.jspecify.annotations.NullMarked;
