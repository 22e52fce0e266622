package io.vtagent.demo.text;

import java.util.Map;

/** One line of the Prometheus text format. */
public record Sample(String name, Map<String, String> labels, double value) {

    public Sample {
        labels = Map.copyOf(labels);
    }

    /** The value of the label, or an empty text. */
    public String label(String key) {
        return labels.getOrDefault(key, "");
    }
}
