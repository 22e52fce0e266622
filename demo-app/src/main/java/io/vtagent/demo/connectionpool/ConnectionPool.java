package io.vtagent.demo.connectionpool;

import java.sql.Connection;

/** Lends connections to one thread at a time. */
interface ConnectionPool {

    /** Waits until there is a connection. */
    Connection checkout() throws InterruptedException;

    void checkin(Connection connection);

    /** Returns how often {@code Object.wait} has returned in here. */
    long waits();
}
