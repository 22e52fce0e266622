/**
 * Services of the JVM for every package above: the table of the internals that the agent uses,
 * method handles that are linked before a hook calls them, headroom on the stack, shutdown, known
 * bugs. Uses only {@code thread} and {@code log}.
 */
package io.vtagent.jvm;
