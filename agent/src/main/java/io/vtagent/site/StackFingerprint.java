package io.vtagent.site;

import io.vtagent.jvm.JdkInternal;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Computes a hash of all frames of the current virtual thread. With it a stack that was walked
 * before is recognized at a fraction of the cost.
 *
 * <p>The hash covers the classes, methods and bytecode indexes that the JVM stores in a {@code
 * Throwable} (javaClasses.cpp, BacktraceBuilder). With structured locking the bytecode index of a
 * frame determines which monitors the frame holds, so equal stacks have the same holder. A class is
 * identified by its identity hash code. A redefined method is identified by the version of its
 * constant pool, which the JVM stores with the index.
 */
public final class StackFingerprint {
    /**
     * The value if there is no fingerprint: the layout is not proved, or the JVM stored only a part
     * of the stack.
     */
    public static final long NONE = 0;

    /** The indexes of the parts of a chunk, which has 32 frames. */
    private static final int METHODS = 0;

    private static final int BYTECODE_INDEXES = 1;
    private static final int CLASSES = 2;
    private static final int METHOD_NAMES = 3;
    private static final int NEXT_CHUNK = 5;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long NOWHERE = -1;

    /** The fractional part of the golden ratio: odd, and without a pattern in its bits. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** The offset of the first chunk in a {@code Throwable}. */
    private static final long BACKTRACE = backtrace();

    /** The outermost frame; set once the layout is proved. */
    private static volatile @Nullable Outermost outermost;

    /**
     * The frame in which every virtual thread begins. The JVM leaves out the outermost frames of a
     * stack that is deeper than {@code -XX:MaxJavaStackTraceDepth}, so a stack that ends in another
     * frame is incomplete.
     *
     * @param name the address of the method's name, which stays the same when the class is
     *     redefined
     */
    private record Outermost(Object declaring, long name) {}

    private StackFingerprint() {}

    /**
     * Returns the fingerprint of the current thread's stack, or {@link #NONE}. Allocates the
     * backtrace, which becomes garbage at once.
     */
    public static long ofCurrentThread() {
        Outermost last = outermost;
        return last == null ? NONE : of(new Throwable(), last);
    }

    private static long of(Throwable stack, Outermost last) {
        long fingerprint = 1;
        Object declaring = null;
        long name = 0;
        Object chunk = UNSAFE.getReference(stack, BACKTRACE);
        while (chunk != null) {
            Object[] parts = (Object[]) chunk;
            short[] methods = (short[]) parts[METHODS];
            int[] indexes = (int[]) parts[BYTECODE_INDEXES];
            Object[] classes = (Object[]) parts[CLASSES];
            int frames = 0;
            for (; frames < classes.length && classes[frames] != null; frames++) {
                declaring = classes[frames];
                long frame =
                        ((long) System.identityHashCode(declaring) << 32)
                                | (indexes[frames] & 0xFFFFFFFFL);
                fingerprint = mix(fingerprint ^ frame ^ (methods[frames] * SPREAD));
            }
            name = frames == 0 ? name : ((long[]) parts[METHOD_NAMES])[frames - 1];
            chunk = parts[NEXT_CHUNK];
        }
        return declaring == last.declaring && name == last.name ? fingerprint : NONE;
    }

    /** Mixes the bits one to one: different inputs give different results. */
    private static long mix(long bits) {
        long product = bits * SPREAD;
        return product ^ (product >>> 32);
    }

    /**
     * Proves with a stack of known frames that all frames can be read. {@link #ofCurrentThread}
     * returns fingerprints only after that. Call this on a virtual thread; on others it does
     * nothing.
     */
    public static void prove() {
        if (BACKTRACE == NOWHERE || !Thread.currentThread().isVirtual()) {
            return;
        }
        try {
            List<Frame> frames = frames(KnownStack.first(KnownStack.DEPTH));
            Frame last = frames.isEmpty() ? null : frames.getLast();
            if (last != null
                    && last.declaring() == Thread.currentThread().getClass()
                    && KnownStack.isRightIn(frames)) {
                outermost = new Outermost(last.declaring(), last.name());
            }
        } catch (ClassCastException
                | ArrayIndexOutOfBoundsException
                | NullPointerException otherLayout) {
            // then there are no fingerprints
        }
    }

    private record Frame(Object declaring, short method, int index, long name) {
        /** Compares as {@code equals} does, for which the JDK would load classes. */
        boolean is(Object aClass, short aMethod, int anIndex, long aName) {
            return declaring == aClass && method == aMethod && index == anIndex && name == aName;
        }
    }

    private static List<Frame> frames(Throwable stack) {
        List<Frame> frames = new ArrayList<>();
        Object[] parts = (Object[]) UNSAFE.getReference(stack, BACKTRACE);
        while (parts != null) {
            short[] methods = (short[]) parts[METHODS];
            int[] indexes = (int[]) parts[BYTECODE_INDEXES];
            Object[] classes = (Object[]) parts[CLASSES];
            long[] names = (long[]) parts[METHOD_NAMES];
            for (int i = 0; i < classes.length && classes[i] != null; i++) {
                frames.add(new Frame(classes[i], methods[i], indexes[i], names[i]));
            }
            parts = (Object[]) parts[NEXT_CHUNK];
        }
        return frames;
    }

    /**
     * A stack in which every second frame is one of four kinds that differ in one respect: {@link
     * #first} called from its first or from its second place, {@link #second}, and the same method
     * of {@link Other}. All three methods have the same code.
     */
    private static final class KnownStack {
        static final int DEPTH = 100;
        private static final int KINDS = 4;
        private static final int AT_SECOND_PLACE = 1;
        private static final int OTHER_METHOD = 2;
        private static final int OTHER_CLASS = 3;

        private KnownStack() {}

        /** Returns the kind of the frame at this height. The sequence of kinds does not repeat. */
        private static int kind(int height) {
            return Integer.bitCount(height * height) % KINDS;
        }

        static Throwable first(int height) {
            Throwable taken = kind(height) == AT_SECOND_PLACE ? null : next(height);
            return taken != null ? taken : next(height);
        }

        static Throwable second(int height) {
            Throwable taken = kind(height) == AT_SECOND_PLACE ? null : next(height);
            return taken != null ? taken : next(height);
        }

        private static Throwable next(int height) {
            int below = height - 1;
            if (below < 0) {
                return new Throwable();
            }
            return switch (kind(below)) {
                case OTHER_METHOD -> second(below);
                case OTHER_CLASS -> Other.first(below);
                default -> first(below);
            };
        }

        private static final class Other {
            private Other() {}

            static Throwable first(int height) {
                Throwable taken = kind(height) == AT_SECOND_PLACE ? null : next(height);
                return taken != null ? taken : next(height);
            }
        }

        /**
         * Returns whether {@code frames}, which begin with that of {@link #next}, match the calls.
         */
        static boolean isRightIn(List<Frame> frames) {
            if (frames.size() <= 2 * DEPTH + 1) {
                return false;
            }
            Frame[] seen = new Frame[KINDS];
            for (int height = 0; height <= DEPTH; height++) {
                Frame frame = frames.get(2 * height + 1);
                int kind = kind(height);
                seen[kind] = seen[kind] == null ? frame : seen[kind];
                if (!frame.is(
                        seen[kind].declaring,
                        seen[kind].method,
                        seen[kind].index,
                        seen[kind].name)) {
                    return false;
                }
            }
            Frame first = seen[0];
            Frame later = seen[AT_SECOND_PLACE];
            Frame second = seen[OTHER_METHOD];
            Frame other = seen[OTHER_CLASS];
            return first.declaring == KnownStack.class
                    && later.index != first.index
                    && later.is(first.declaring, first.method, later.index, first.name)
                    && second.method != first.method
                    && second.name != first.name
                    && second.is(first.declaring, second.method, first.index, second.name)
                    && other.is(Other.class, other.method, first.index, first.name);
        }
    }

    private static long backtrace() {
        try {
            return JdkInternal.BACKTRACE.offset();
        } catch (InternalError noSuchField) {
            return NOWHERE;
        }
    }
}
