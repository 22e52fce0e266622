package io.vtagent.exporter.jmx;

import java.util.List;

/**
 * The pins since a test began, as the MXBean returns them.
 *
 * @param forgotten the number of further pins, which are no longer kept
 */
public record PinsOfTest(long forgotten, List<PinFigures> pins) {}
