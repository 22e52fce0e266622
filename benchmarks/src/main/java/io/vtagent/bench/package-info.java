/**
 * Runs {@code jmh} and {@code program} with the agent and with what it is compared with, by turns,
 * and writes down what that took.
 */
package io.vtagent.bench;
