package io.vtagent.demo.model;

/**
 * The parameters of a run.
 *
 * @param tasks how many tasks there are
 * @param latencyMillis how long each of them is blocked
 * @param jdbcUrl the database of the connection pool
 */
public record Settings(int tasks, int latencyMillis, String jdbcUrl) {

    public static final int MAX_TASKS = 1_000_000;

    public static final int MAX_LATENCY_MILLIS = 10_000;

    /**
     * H2 guards a session with a ReentrantLock of its own, so queries of several connections
     * contend for no monitor.
     */
    private static final String IN_MEMORY = "jdbc:h2:mem:articles";

    /** The option that sets {@link #tasks}. */
    public static final String TASKS = "--tasks";

    /** The option that sets {@link #latencyMillis}. */
    public static final String LATENCY_MILLIS = "--latency-ms";

    /** The option that sets {@link #jdbcUrl}. */
    public static final String JDBC_URL = "--jdbc-url";

    /** Returns the settings of the command line; where it has none, those of {@code size}. */
    public static Settings of(Arguments arguments, Size size) {
        return new Settings(
                arguments.number(TASKS, 1, MAX_TASKS, size.tasks()),
                arguments.number(LATENCY_MILLIS, 0, MAX_LATENCY_MILLIS, size.latencyMillis()),
                arguments.text(JDBC_URL, "jdbc:", IN_MEMORY));
    }
}
