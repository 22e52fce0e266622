/**
 * What starts the known pins otherwise than from a class path. Runs in forked JVMs, knows nothing
 * of the agent.
 */
@NullMarked
package io.vtagent.company.launch;

import org.jspecify.annotations.NullMarked;
