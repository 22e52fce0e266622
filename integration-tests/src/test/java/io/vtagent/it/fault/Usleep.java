package io.vtagent.it.fault;

import com.sun.jna.Native;

/** The C library's sleep, bound by JNA: nothing in the JVM notices it. */
final class Usleep {
    static {
        Native.register("c");
    }

    private Usleep() {}

    static native int usleep(int micros);
}
