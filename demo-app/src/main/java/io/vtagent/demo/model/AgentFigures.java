package io.vtagent.demo.model;

import java.util.Map;

/**
 * The agent's figures for a run.
 *
 * @param secondsBySite for how long each site held carriers, in seconds
 * @param longestInProgressSeconds for how long the oldest pin that has not ended lasts, in seconds
 */
public record AgentFigures(Map<String, Double> secondsBySite, double longestInProgressSeconds) {}
