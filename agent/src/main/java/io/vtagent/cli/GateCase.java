package io.vtagent.cli;

import java.util.List;

/**
 * One limit or one site that a gate has judged.
 *
 * @param className the name under which build servers group the case: a class, or the command
 * @param name the name of the case, the same in each run with the same limits and lines
 * @param findings the facts behind the judgement; at least one if it failed
 */
record GateCase(String className, String name, boolean failed, List<Finding> findings) {}
