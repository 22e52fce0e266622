package io.vtagent.it.workload;

import java.io.IOException;

/** Has begun, uses no virtual thread, and waits for a line or the end of its input. */
public final class Bare {
    private Bare() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("main");
        int unused = System.in.read();
    }
}
