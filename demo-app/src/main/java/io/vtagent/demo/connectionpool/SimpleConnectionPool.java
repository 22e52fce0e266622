package io.vtagent.demo.connectionpool;

import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A pool as it has been written since Java 1.0: up to JDK 23, a thread that waits in it holds a
 * carrier.
 */
final class SimpleConnectionPool implements ConnectionPool {

    private final Queue<Connection> available;
    private long waits;

    SimpleConnectionPool(List<Connection> connections) {
        available = new ArrayDeque<>(connections);
    }

    @Override
    public synchronized Connection checkout() throws InterruptedException {
        Connection connection = available.poll();
        while (connection == null) {
            wait();
            waits++;
            connection = available.poll();
        }
        return connection;
    }

    @Override
    public synchronized void checkin(Connection connection) {
        available.add(connection);
        notify();
    }

    @Override
    public synchronized long waits() {
        return waits;
    }
}
