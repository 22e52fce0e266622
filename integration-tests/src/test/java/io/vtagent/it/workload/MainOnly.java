package io.vtagent.it.workload;

import java.io.IOException;

/**
 * A program that has started, uses no virtual thread, and waits for a line or the end of its input.
 */
public final class MainOnly {
    private MainOnly() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("main");
        int unused = System.in.read();
    }
}
