package io.vtagent.it.reference;

import com.sun.jna.Callback;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** Native code of the C library that blocks, mapped to native methods by JNA. */
final class LibC {
    static final int LOCK_EX = 2;
    static final int LOCK_UN = 8;
    static final int O_RDWR = 2;

    static {
        Native.register("c");
    }

    private LibC() {}

    static native int usleep(int micros);

    static native int open(String path, int flags);

    static native int flock(int descriptor, int operation);

    static native int fcntl(int descriptor, int command, Pointer lock);

    static native int close(int descriptor);

    static native void qsort(Pointer base, long count, long size, Callback compare);
}
