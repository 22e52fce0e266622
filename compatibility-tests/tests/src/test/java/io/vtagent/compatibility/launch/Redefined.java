package io.vtagent.compatibility.launch;

import java.io.Serializable;
import java.util.concurrent.CountDownLatch;

/**
 * A class that a debugger replaces: the same bytes except the constant. Its methods are wrapped
 * where monitors pin.
 */
public final class Redefined implements Serializable {

    synchronized String version() throws InterruptedException {
        Thread.sleep(20);
        return "version 1";
    }

    /** Prints {@code held}, and returns the same as soon as {@code released} is open. */
    synchronized String version(CountDownLatch released) throws InterruptedException {
        System.out.println("held");
        released.await();
        return "version 1";
    }
}
