package io.vtagent.demo.launch;

/**
 * One run of a case in a JVM of its own.
 *
 * @param jdk the feature version of the JDK
 */
record Run(String caseName, String variant, int jdk) {

    @Override
    public String toString() {
        return "%s, %s, on JDK %d".formatted(caseName, variant, jdk);
    }
}
