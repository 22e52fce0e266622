package io.vtagent.it.reference;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All other workloads that hold carriers at once: the threads are dealt out to them like cards. */
final class MixedWorkload implements Workload {
    private final List<Workload> workloads = new ArrayList<>();

    MixedWorkload(int threads, Duration limit) throws Exception {
        List<Scenario> others = new ArrayList<>(List.of(Scenario.values()));
        others.removeAll(
                List.of(Scenario.GARBAGE, Scenario.MIX, Scenario.COMPUTING, Scenario.START_UP));
        for (Scenario scenario : others) {
            workloads.add(scenario.factory().create(threads / others.size() + 1, limit));
        }
    }

    @Override
    public void hold(int thread, int round) throws Exception {
        workloads.get(thread % workloads.size()).hold(thread / workloads.size(), round);
    }

    @Override
    public void close() throws IOException {
        for (Workload workload : workloads) {
            workload.close();
        }
    }
}
