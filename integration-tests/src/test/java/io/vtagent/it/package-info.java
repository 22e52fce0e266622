/**
 * The agent as a user has it: its jar, in JVMs of their own. Sees the agent through its options,
 * its endpoint and its output alone.
 */
@NullMarked
package io.vtagent.it;

import org.jspecify.annotations.NullMarked;
