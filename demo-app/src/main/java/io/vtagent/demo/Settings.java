package io.vtagent.demo;

/**
 * What a run may vary.
 *
 * @param tasks the number of virtual threads, one a task
 * @param latencyMillis how long the other side takes: the HTTP server to answer, a task to be done with its connection
 * @param jdbcUrl the database of the connection pool
 */
public record Settings(int tasks, int latencyMillis, String jdbcUrl) {

    /** The option that sets {@link #tasks}. */
    public static final String TASKS = "--tasks";

    /** The option that sets {@link #latencyMillis}. */
    public static final String LATENCY_MILLIS = "--latency-ms";

    /** The option that sets {@link #jdbcUrl}. */
    public static final String JDBC_URL = "--jdbc-url";

    static Settings defaults() {
        return new Settings(1_000, 20, ConnectionPoolDemo.IN_MEMORY);
    }

    public static Settings of(Arguments arguments) {
        Settings defaults = defaults();
        return new Settings(
                arguments.number(TASKS, 1, 1_000_000, defaults.tasks),
                arguments.number(LATENCY_MILLIS, 0, 10_000, defaults.latencyMillis),
                arguments.text(JDBC_URL, "jdbc:", defaults.jdbcUrl));
    }
}
