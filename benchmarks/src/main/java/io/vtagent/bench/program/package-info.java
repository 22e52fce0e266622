/**
 * Programs that are measured as whole processes, with the agent and without. They know nothing of
 * it.
 */
package io.vtagent.bench.program;
