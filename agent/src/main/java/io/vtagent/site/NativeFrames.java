package io.vtagent.site;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames that keep a thread from unmounting on any JDK: native frames, class
 * initializers, and class loaders that the JVM called. Thread-safe, without locks.
 */
public final class NativeFrames {
    private static final int REMEMBERED = 1 << 9;

    /**
     * Shows the frames that the JDK hides, through which a thread enters and leaves native code.
     */
    static final StackWalker WALKER =
            StackWalker.getInstance(
                    Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_HIDDEN_FRAMES));

    private static final StackCache<PinnedStack.Cause> KNOWN = new StackCache<>(REMEMBERED);

    private NativeFrames() {}

    /**
     * Returns why the calling thread cannot unmount where monitors do not pin: {@link
     * PinnedStack.Cause#NATIVE}, {@link PinnedStack.Cause#CLASS_INIT} or, if it can unmount, {@link
     * PinnedStack.Cause#NONE}. A remembered stack is not walked again.
     */
    public static PinnedStack.Cause onCurrentThread() {
        long fingerprint = StackFingerprint.ofCurrentThread();
        if (fingerprint == StackFingerprint.NONE) {
            return walk();
        }
        PinnedStack.Cause cause = KNOWN.get(fingerprint);
        if (cause == null) {
            cause = walk();
            KNOWN.put(fingerprint, cause);
        }
        return cause;
    }

    private static PinnedStack.Cause walk() {
        StackFrame found = WALKER.walk(new Search(false));
        return found == null ? PinnedStack.Cause.NONE : causeOf(found);
    }

    /**
     * Walks the calling thread's stack and returns the innermost such frame or class loader as
     * {@code class.method:line}, or null.
     */
    static @Nullable String locate() {
        StackFrame found = WALKER.walk(new Search(true));
        return found == null ? null : MonitorStackWalker.location(found);
    }

    /**
     * Finds the innermost such frame.
     *
     * @param loaders whether class loaders count, although the JVM may not have called them
     */
    private record Search(boolean loaders)
            implements Function<Stream<StackFrame>, @Nullable StackFrame> {
        @Override
        public @Nullable StackFrame apply(Stream<StackFrame> frames) {
            for (Iterator<StackFrame> rest = frames.iterator(); rest.hasNext(); ) {
                StackFrame frame = rest.next();
                if (causeOf(frame) != PinnedStack.Cause.NONE
                        || (loaders && LoaderFrames.isCall(frame))) {
                    return frame;
                }
            }
            return null;
        }
    }

    static PinnedStack.Cause causeOf(StackFrame frame) {
        if (frame.getMethodName().equals("<clinit>")) {
            return PinnedStack.Cause.CLASS_INIT;
        }
        return frame.isNativeMethod() || isForeignCall(frame)
                ? PinnedStack.Cause.NATIVE
                : PinnedStack.Cause.NONE;
    }

    /**
     * Returns whether {@code frame} lies between Java and native code of {@code java.lang.foreign}.
     * Below a Java frame, it belongs to an upcall.
     */
    static boolean isForeignCall(StackFrame frame) {
        return frame.getDeclaringClass().getPackageName().equals("jdk.internal.foreign.abi");
    }
}
