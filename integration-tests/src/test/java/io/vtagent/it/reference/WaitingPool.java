package io.vtagent.it.reference;

/**
 * A pool of two connections with {@code wait} and {@code notify}. Only those hold a carrier that
 * wait for a connection.
 */
final class WaitingPool implements Workload {
    private static final long MILLIS = 10;

    private int available = 2;

    @Override
    public void hold(int thread, int round) throws InterruptedException {
        checkout();
        Thread.sleep(MILLIS);
        checkin();
    }

    private synchronized void checkout() throws InterruptedException {
        while (available == 0) {
            wait();
        }
        available--;
    }

    private synchronized void checkin() {
        available++;
        notify();
    }
}
