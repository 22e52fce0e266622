package io.vtagent.demo.launch;

import io.vtagent.demo.model.Result;

/**
 * The outcome of a run.
 *
 * @param result the figures of the workload
 * @param pins the figures of the agent
 * @param answer the agent's answer to why virtual threads were slow; empty if there is none
 */
record Outcome(Run run, Result result, Pins pins, String answer) {}
