package io.vtagent.company.launch;

import java.io.Serializable;
import java.util.concurrent.CountDownLatch;

/**
 * A class that a debugger replaces: the same bytes but for the constant. Its methods are wrapped
 * where monitors pin.
 */
public final class Swapped implements Serializable {

    synchronized String version() throws InterruptedException {
        Thread.sleep(20);
        return "version 1";
    }

    /** The same as soon as {@code released} is open; says {@code held} before. */
    synchronized String version(CountDownLatch released) throws InterruptedException {
        System.out.println("held");
        released.await();
        return "version 1";
    }
}
