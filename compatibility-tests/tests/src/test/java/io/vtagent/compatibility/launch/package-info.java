/**
 * Launchers that start the known pins otherwise than from a class path. Runs in forked JVMs,
 * without knowledge of the agent.
 */
@NullMarked
package io.vtagent.compatibility.launch;

import org.jspecify.annotations.NullMarked;
