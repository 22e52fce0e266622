package io.vtagent.demo.finding.tools;

import io.vtagent.demo.finding.PinFinder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import one.profiler.AsyncProfiler;
import one.profiler.Counter;

/**
 * async-profiler in wall mode: it samples every thread once in a while, whatever the thread does.
 */
public final class AsyncProfilerPins implements PinFinder {

    private static final double SECONDS_PER_SAMPLE = 0.001;

    /** The frame at the bottom of a stack on a carrier. */
    private static final String ON_A_CARRIER = "java/lang/VirtualThread.run";

    private static final String OURS = WORKLOAD.replace('.', '/');

    @Override
    public boolean isFor(String variant) {
        return variant.equals("async-profiler");
    }

    @Override
    public void start() throws IOException {
        AsyncProfiler.getInstance().execute("start,event=wall,interval=1ms");
    }

    @Override
    public Found stop() throws IOException {
        AsyncProfiler profiler = AsyncProfiler.getInstance();
        profiler.execute("stop");
        List<Pins> pins = new ArrayList<>();
        for (String line : profiler.dumpCollapsed(Counter.SAMPLES).lines().toList()) {
            int space = line.lastIndexOf(' ');
            String frames = line.substring(0, space);
            if (frames.contains(ON_A_CARRIER) && frames.contains(OURS)) {
                pins.add(
                        new Pins(
                                frames,
                                Long.parseLong(line.substring(space + 1)) * SECONDS_PER_SAMPLE));
            }
        }
        return new Found(
                pins, "Every stack that has a carrier counts, also of threads that compute.");
    }
}
