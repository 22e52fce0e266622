package io.vtagent.exporter.jmx;

import java.util.List;

/**
 * The pins since a test began, as the MXBean returns them.
 *
 * @param forgotten how many more there were, which are not kept any more
 */
public record PinsOfTest(long forgotten, List<PinFigures> pins) {}
