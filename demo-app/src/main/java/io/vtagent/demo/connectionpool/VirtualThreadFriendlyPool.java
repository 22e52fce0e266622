package io.vtagent.demo.connectionpool;

import java.sql.Connection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * A fixed {@link SimpleConnectionPool}: a permit stands for a connection, and a thread that waits
 * for one unmounts.
 */
final class VirtualThreadFriendlyPool implements ConnectionPool {

    private final Queue<Connection> available;
    private final Semaphore permits;

    VirtualThreadFriendlyPool(List<Connection> connections) {
        available = new ConcurrentLinkedQueue<>(connections);
        permits = new Semaphore(connections.size());
    }

    /** A connection is returned before its permit, so a thread with a permit finds a connection. */
    @Override
    public Connection checkout() throws InterruptedException {
        permits.acquire();
        return available.remove();
    }

    @Override
    public void checkin(Connection connection) {
        available.add(connection);
        permits.release();
    }

    @Override
    public long waits() {
        return 0;
    }
}
