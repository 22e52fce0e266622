package io.vtagent.hotspot;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.jvm.VmStructs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;

/**
 * The offsets of fields of HotSpot's threads, classes and monitors, as HotSpot's table reports
 * them; {@link Proof} checks them. 64-bit JVMs only. All pointers are followed through {@link
 * Memory}. Thread-safe.
 *
 * @param memory the memory that the fields are read from
 * @param eetop the offset in a {@code Thread} of the address of its JavaThread, which is 0 before
 *     the thread starts and after it has ended
 * @param klass the offset in a {@code Class} of the address of its Klass
 */
record Fields(
        Memory memory,
        long eetop,
        long klass,
        long threadState,
        long osThread,
        long kernelId,
        long pendingMonitor,
        long stackBase,
        long stackSize,
        long lockStack,
        long lockStackTop,
        long lockStackBase,
        long initState,
        long initThread,
        long className,
        long symbolLength,
        long symbolBody,
        long owner,
        long object) {
    /** The maximum size of a JavaThread, which has about 2,200 bytes. */
    private static final int MAX_THREAD_BYTES = 4_096;

    private static final int MAX_MIRROR_BYTES = 512;
    private static final int MAX_LOCKS = 8;

    /**
     * The lock bits in the header (markWord.hpp) of an object that no thread has locked, and of one
     * that has a monitor.
     */
    static final int UNLOCKED = 0b01;

    static final int INFLATED = 0b10;
    private static final long LOCK_BITS = 0b11;
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /**
     * @throws NoSuchFieldException if the JVM's table lacks one of the fields
     */
    static Fields find() throws NoSuchFieldException {
        if (UNSAFE.addressSize() != Long.BYTES) {
            throw new NoSuchFieldException(
                    "this JVM has " + UNSAFE.addressSize() + " bytes to an address");
        }
        long klass = VmStructs.addressOf(JdkInternal.VM_KLASS_OFFSET);
        if (klass == VmStructs.NOWHERE) {
            throw new NoSuchFieldException(JdkInternal.VM_KLASS_OFFSET.toString());
        }
        long inMirror = UNSAFE.getInt(klass);
        if (inMirror <= 0 || inMirror > MAX_MIRROR_BYTES) {
            throw new NoSuchFieldException(JdkInternal.VM_KLASS_OFFSET + " is " + inMirror);
        }
        long osThread =
                VmStructs.offsetOf(JdkInternal.VM_OS_THREAD); // up to JDK 24 it is in JavaThread
        return new Fields(
                new Memory(),
                JdkInternal.JAVA_THREAD.offset(),
                inMirror,
                field(JdkInternal.VM_THREAD_STATE),
                osThread == VmStructs.NOWHERE
                        ? field(JdkInternal.VM_OS_THREAD_OF_JAVA_THREAD)
                        : osThread,
                field(JdkInternal.VM_KERNEL_ID),
                field(JdkInternal.VM_PENDING_MONITOR),
                field(JdkInternal.VM_STACK_BASE),
                field(JdkInternal.VM_STACK_SIZE),
                VmStructs.offsetOf(JdkInternal.VM_LOCK_STACK),
                0, // LockStack::_top is the first field, which the table cannot give
                VmStructs.offsetOf(JdkInternal.VM_LOCK_STACK_BASE),
                field(JdkInternal.VM_INIT_STATE),
                field(JdkInternal.VM_INIT_THREAD),
                field(JdkInternal.VM_CLASS_NAME),
                field(JdkInternal.VM_SYMBOL_LENGTH),
                field(JdkInternal.VM_SYMBOL_BODY),
                field(JdkInternal.VM_MONITOR_OWNER),
                field(JdkInternal.VM_MONITOR_OBJECT));
    }

    private static long field(JdkInternal field) throws NoSuchFieldException {
        long offset = VmStructs.offsetOf(field);
        if (offset <= 0 || offset > MAX_THREAD_BYTES) {
            throw new NoSuchFieldException(field.toString());
        }
        return offset;
    }

    /**
     * Returns the address of the JavaThread of a platform thread; 0 if the thread is not alive. The
     * thread may end at any moment.
     */
    long javaThread(Thread platform) {
        return UNSAFE.getLongVolatile(platform, eetop);
    }

    /** Returns the address of the Klass, which is valid while {@code type} is reachable. */
    long klass(Class<?> type) {
        return UNSAFE.getLong(type, klass);
    }

    static long header(Object object) {
        return UNSAFE.getLong(object, 0L);
    }

    static int lockOf(long header) {
        return (int) (header & LOCK_BITS);
    }

    /**
     * Returns the address of the monitor from the header of an inflated object, on JVMs that keep
     * it there.
     */
    static long monitorIn(long header) {
        return header - INFLATED;
    }

    /** Returns the whole JavaThread, and perhaps bytes beyond it. */
    ByteBuffer thread(long javaThread) throws IOException {
        return memory.readUpTo(javaThread, MAX_THREAD_BYTES);
    }

    long word(long javaThread, long offset) throws IOException {
        return memory.word(javaThread + offset);
    }

    int state(long javaThread) throws IOException {
        return memory.number(javaThread + threadState);
    }

    int kernelId(long javaThread) throws IOException {
        return memory.number(memory.word(javaThread + osThread) + kernelId);
    }

    long pendingMonitor(long javaThread) throws IOException {
        return memory.word(javaThread + pendingMonitor);
    }

    boolean isInStack(long javaThread, long address) throws IOException {
        long base = memory.word(javaThread + stackBase);
        return address < base && address >= base - memory.word(javaThread + stackSize);
    }

    /**
     * Returns whether the object at {@code oop} is among those that the JavaThread has locked
     * without a monitor (lockStack.hpp).
     */
    boolean isInLockStack(long javaThread, long oop) throws IOException {
        long from = javaThread + lockStack;
        int top = memory.number(from + lockStackTop); // in bytes from the start of the JavaThread
        long bytes = javaThread + top - (from + lockStackBase);
        if (lockStack <= 0 || lockStackBase <= 0 || bytes <= 0 || bytes > MAX_LOCKS * Long.BYTES) {
            return false;
        }
        ByteBuffer locked = memory.read(from + lockStackBase, (int) bytes);
        for (int at = 0; at < bytes; at += Long.BYTES) {
            if (locked.getLong(at) == oop) {
                return true;
            }
        }
        return false;
    }

    int initState(long klass) throws IOException {
        return memory.read(klass + initState, 1).get(0);
    }

    long initThread(long klass) throws IOException {
        return memory.word(klass + initThread);
    }

    String name(long klass) throws IOException {
        long symbol = memory.word(klass + className);
        int length = memory.read(symbol + symbolLength, Short.BYTES).getShort(0) & 0xffff;
        ByteBuffer name = memory.read(symbol + symbolBody, length);
        return StandardCharsets.UTF_8.decode(name).toString().replace('/', '.');
    }

    long owner(long monitor) throws IOException {
        return memory.word(monitor + owner);
    }

    /**
     * Returns the address of the monitor's object. If a collector moves objects while threads run,
     * the address is coloured.
     */
    long oop(long monitor) throws IOException {
        return memory.word(memory.word(monitor + object));
    }
}
