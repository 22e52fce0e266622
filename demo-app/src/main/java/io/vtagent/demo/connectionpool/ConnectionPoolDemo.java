package io.vtagent.demo.connectionpool;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Many tasks share few database connections: each checks one out, queries, works for a while, and
 * checks it in.
 */
public final class ConnectionPoolDemo implements DemoCase {

    private static final String WAITS = "waits";
    private static final int CONNECTIONS = 10;
    private static final int ARTICLES = 50;

    /**
     * A thread that waits in {@code Object.wait} keeps a carrier, for which the scheduler adds
     * another, up to 256 in all (its {@code maxPoolSize}). If all of them waited, no thread could
     * check a connection in, and JDK 21 would be stuck. So there are never as many tasks.
     */
    private static final int TASKS_AT_A_TIME = 200;

    @Override
    public String name() {
        return "connection-pool";
    }

    @Override
    public String shows() {
        return "A pool of JDBC connections with wait and notify, against one with a Semaphore.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "wait() in the checkout of a pool pins the carrier; who waits in"
                                + " Semaphore.acquire() unmounts."));
    }

    @Override
    public String comparison() {
        return "Both are so on JDK 21, and jdk.VirtualThreadPinned has no event for it. But the"
                + " throughput hardly shows it: for a thread in Object.wait the scheduler adds a"
                + " carrier, up to maxPoolSize (256), so the price is as many platform threads"
                + " as there are waiters, and at 256 a standstill. From JDK 24 on (JEP 491) a"
                + " wait unmounts.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("pinned", "synchronized, wait and notify"),
                Variant.of("fixed", "a Semaphore and a concurrent queue"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(1_000, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(connect(settings.jdbcUrl()));
            }
            ConnectionPool warmUpPool = poolOf(variant, connections);
            Load.warmUp(number -> work(warmUpPool, number, 1));
            ConnectionPool pool = poolOf(variant, connections);
            double seconds =
                    Load.run(
                            settings.tasks(),
                            TASKS_AT_A_TIME,
                            number -> work(pool, number, settings.latencyMillis()));
            return Result.ofTasks(settings.tasks(), seconds).with(WAITS, (double) pool.waits());
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private static ConnectionPool poolOf(String variant, List<Connection> connections) {
        return variant.equals("pinned")
                ? new SimpleConnectionPool(connections)
                : new VirtualThreadFriendlyPool(connections);
    }

    private static void work(ConnectionPool pool, int number, int latencyMillis) throws Exception {
        Connection connection = pool.checkout();
        try {
            titleOf(number % ARTICLES, connection);
            Thread.sleep(latencyMillis);
        } finally {
            pool.checkin(connection);
        }
    }

    private static String titleOf(int article, Connection connection) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT title FROM demo_article WHERE id = ?")) {
            query.setInt(1, article);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    /**
     * A temporary table belongs to its connection and goes with it, whatever else is in the
     * database.
     */
    private static Connection connect(String jdbcUrl) throws SQLException {
        Connection connection = DriverManager.getConnection(jdbcUrl);
        try (Statement table = connection.createStatement()) {
            table.execute(
                    "CREATE LOCAL TEMPORARY TABLE demo_article (id INTEGER PRIMARY KEY, title"
                            + " VARCHAR(80))");
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO demo_article VALUES (?, ?)")) {
            for (int article = 0; article < ARTICLES; article++) {
                insert.setInt(1, article);
                insert.setString(2, "Article " + article);
                insert.executeUpdate();
            }
        }
        return connection;
    }
}
