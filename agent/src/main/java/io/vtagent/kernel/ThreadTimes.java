package io.vtagent.kernel;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import java.io.File;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * CPU time and run queue delay of the current thread of the operating system. Run queue delay
 * includes the time for which a quota throttles the thread ({@code sched_info.run_delay}, in {@code
 * /proc/thread-self/schedstat}).
 *
 * <p>Reads the file through the native methods of {@code sun.nio.fs.UnixNativeDispatcher}, because
 * the methods above them bracket file I/O, which would add a carrier on a virtual thread. A read
 * allocates nothing, takes no lock, leaves no file open, and costs about 5 &micro;s. For one thread
 * at a time, always the same one of the operating system.
 */
final class ThreadTimes {
    /** The times of the thread that reads the file. */
    private static final String TIMES = "/proc/thread-self/schedstat";

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int READ_ONLY_NOT_INHERITED = 0x80000; // O_RDONLY | O_CLOEXEC
    private static final int LENGTH = 96;
    private static final @Nullable Calls CALLS = calls();

    /** {@link #TIMES} as a zero-terminated string. */
    private static final @Nullable Memory PATH = path(TIMES);

    private record Calls(
            MethodHandle allocate,
            MethodHandle address,
            MethodHandle open,
            MethodHandle read,
            MethodHandle close) {}

    /**
     * Memory outside the heap. The JDK's code frees it when the {@code owner}, a {@code
     * sun.nio.fs.NativeBuffer}, is unreachable. If the agent's code did that, the agent's class
     * loader would outlast a detach. A direct buffer would work as well, but the JDK may run the
     * garbage collector to find room for one.
     */
    record Memory(Object owner, long address) {
        private static Memory allocate(Calls calls, int bytes) throws Throwable {
            Object owner = calls.allocate.invokeExact(bytes);
            return new Memory(owner, (long) calls.address.invokeExact(owner));
        }
    }

    private final @Nullable Memory path;
    private final @Nullable Memory memory = allocate(LENGTH);
    private long ranNanos;
    private long queuedNanos;

    ThreadTimes() {
        this(PATH);
    }

    /**
     * @param path that of the file, from {@link #path}
     */
    ThreadTimes(@Nullable Memory path) {
        this.path = path;
    }

    private static @Nullable Calls calls() {
        try {
            if (!new File(TIMES).exists()) {
                return null;
            }
            Class<?> type = JdkInternal.FILE_OPEN.initializedType();
            Class<?> unused = JdkInternal.ALLOCATE_BUFFER.initializedType();
            unused = JdkInternal.NATIVE_BUFFER_ADDRESS.initializedType();
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            return new Calls(
                    JdkInternal.ALLOCATE_BUFFER
                            .handle(lookup)
                            .asType(MethodType.methodType(Object.class, int.class)),
                    JdkInternal.NATIVE_BUFFER_ADDRESS
                            .handle(lookup)
                            .asType(MethodType.methodType(long.class, Object.class)),
                    JdkInternal.FILE_OPEN.handle(lookup),
                    JdkInternal.FILE_READ.handle(lookup),
                    JdkInternal.FILE_CLOSE.handle(lookup));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            AgentLog.debug("the run queue delay of threads is not known:", unknown);
            return null;
        }
    }

    private static @Nullable Memory allocate(int bytes) {
        try {
            return CALLS == null ? null : Memory.allocate(CALLS, bytes);
        } catch (Throwable none) {
            return null;
        }
    }

    /** Returns the path {@code file} as a zero-terminated string; null if files cannot be read. */
    static @Nullable Memory path(String file) {
        byte[] name = file.getBytes(StandardCharsets.US_ASCII);
        Memory path = allocate(name.length + 1);
        if (path != null) {
            for (int at = 0; at < name.length; at++) {
                UNSAFE.putByte(path.address + at, name[at]);
            }
            UNSAFE.putByte(path.address + name.length, (byte) 0);
        }
        return path;
    }

    /** Reads both times. Returns false if that is not possible, and then changes nothing. */
    boolean read() {
        if (CALLS == null || path == null || memory == null) {
            return false;
        }
        long address = memory.address;
        int length = readFile(CALLS, path, address);
        int space = next(address, 0, length, ' ');
        int end = next(address, space + 1, length, ' ');
        if (end >= length) {
            return false;
        }
        ranNanos = number(address, 0, space);
        queuedNanos = number(address, space + 1, end);
        return true;
    }

    long ranNanos() {
        return ranNanos;
    }

    long queuedNanos() {
        return queuedNanos;
    }

    private static int readFile(Calls calls, Memory path, long into) {
        try {
            int file = (int) calls.open.invokeExact(path.address, READ_ONLY_NOT_INHERITED, 0);
            try {
                return (int) calls.read.invokeExact(file, into, LENGTH);
            } finally {
                calls.close.invokeExact(file);
            }
        } catch (Throwable ended) { // the thread has ended, or too many files are open
            return 0;
        }
    }

    private static int next(long address, int from, int to, char wanted) {
        int at = from;
        while (at < to && UNSAFE.getByte(address + at) != wanted) {
            at++;
        }
        return at;
    }

    private static long number(long address, int from, int to) {
        long number = 0;
        for (int at = from; at < to; at++) {
            number = 10 * number + UNSAFE.getByte(address + at) - '0';
        }
        return number;
    }
}
