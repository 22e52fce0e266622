package io.vtagent.it.workload;

import com.sun.jna.Native;

/** The C library, whose functions JNA maps to native methods. */
final class LibC {
    static {
        Native.register("c");
    }

    private LibC() {}

    static native int usleep(int micros);
}
