/**
 * The launcher behind {@code ./demo}: runs cases in JVMs of their own under the agent, reads what
 * the agent has measured from its endpoint, and prints it; it depends on {@code io.vtagent.demo}
 * and on the agent's documented contract only.
 */
package io.vtagent.demo.launch;
