package io.vtagent.demo.launch;

import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Variant;

/**
 * One run of a case in a JVM of its own.
 *
 * @param jdk the feature version of the JDK
 */
record Run(DemoCase demoCase, Variant variant, int jdk, Settings settings) {

    @Override
    public String toString() {
        return "%s, %s, on JDK %d".formatted(demoCase.name(), variant, jdk);
    }
}
