package io.vtagent.it.workload;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.sqlite.Function;

/**
 * {@code QUERIES}: virtual threads that each query a SQLite of their own with a function in Java,
 * which native code calls, and which asks another virtual thread. That one answers as soon as all
 * of them have asked.
 */
public final class SqlFunctions {
    private static final CountDownLatch ANSWERED = new CountDownLatch(1);

    private SqlFunctions() {}

    private static final class Ask extends Function {
        private final CountDownLatch asked;

        Ask(CountDownLatch asked) {
            this.asked = asked;
        }

        @Override
        protected void xFunc() throws SQLException {
            asked.countDown();
            Waiting.forLatch(ANSWERED);
            result(1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException, SQLException {
        int queries = Integer.parseInt(arguments[0]);
        // extracts the library, and loads it
        DriverManager.getConnection("jdbc:sqlite::memory:").close();
        WorkloadConsole.warmUp();
        CountDownLatch asked = new CountDownLatch(queries);
        Thread answering =
                Thread.ofVirtual()
                        .name("answering")
                        .start(
                                () -> {
                                    Waiting.forLatch(asked);
                                    ANSWERED.countDown();
                                });
        Waiting.awaitAll(List.of(answering));
        List<Thread> querying = Tasks.start(queries, number -> query(asked));
        WorkloadConsole.printAndWait("begun");
        Tasks.join(querying);
        WorkloadConsole.done();
    }

    private static void query(CountDownLatch asked) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement()) {
            Function.create(connection, "ask", new Ask(asked));
            statement.executeQuery("select ask()").close();
        }
    }
}
