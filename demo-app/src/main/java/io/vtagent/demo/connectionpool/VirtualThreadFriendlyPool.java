package io.vtagent.demo.connectionpool;

import java.sql.Connection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * The same pool, mended: a permit stands for a connection, and whoever waits for one gives its
 * carrier away.
 */
final class VirtualThreadFriendlyPool implements ConnectionPool {

    private final Queue<Connection> available;
    private final Semaphore permits;

    VirtualThreadFriendlyPool(List<Connection> connections) {
        available = new ConcurrentLinkedQueue<>(connections);
        permits = new Semaphore(connections.size());
    }

    /** A connection goes back before its permit, so whoever has a permit finds one. */
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
