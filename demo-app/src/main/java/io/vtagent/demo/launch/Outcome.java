package io.vtagent.demo.launch;

import io.vtagent.demo.model.Result;

/**
 * What came of a run.
 *
 * @param result what the workload says
 * @param pins what the agent says
 */
record Outcome(Run run, Result result, Pins pins) {}
