/**
 * Programs that hold carriers, or do not, and know themselves how often and how long. They depend
 * on the JDK alone and do not know the agent.
 */
@NullMarked
package io.vtagent.it.workload;

import org.jspecify.annotations.NullMarked;
