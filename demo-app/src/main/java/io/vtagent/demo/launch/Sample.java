package io.vtagent.demo.launch;

import java.util.Map;

/** One line of the Prometheus text format. */
record Sample(String name, Map<String, String> labels, double value) {

    Sample {
        labels = Map.copyOf(labels);
    }

    /** The value of the label, or an empty text. */
    String label(String key) {
        return labels.getOrDefault(key, "");
    }
}
