package io.vtagent.demo.launch;

import io.vtagent.demo.model.Result;

/**
 * What came of a run.
 *
 * @param result what the workload says
 * @param pins what the agent says
 * @param answer the agent's answer to why virtual threads were slow; empty if there is none
 */
record Outcome(Run run, Result result, Pins pins, String answer) {}
