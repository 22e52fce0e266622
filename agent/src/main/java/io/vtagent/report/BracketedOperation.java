package io.vtagent.report;

import io.vtagent.site.JdkCode;
import io.vtagent.site.PinnedStack;
import java.util.Set;

/**
 * The behaviour since JDK 24 of an operation around which JDK 21 to 23 ask the scheduler to
 * compensate ({@code jdk.internal.misc.Blocker}). The JDK's method that asks identifies the
 * operation. {@code docs/pinning-by-jdk.md} has the measurements.
 */
enum BracketedOperation {
    /** The thread unmounts. */
    UNMOUNTS(
            Set.of(
                    "sun.nio.ch.EPollSelectorImpl.doSelect",
                    "sun.nio.ch.KQueueSelectorImpl.doSelect",
                    "sun.nio.ch.WEPollSelectorImpl.doSelect")),
    /** It holds its carrier, and the scheduler is still asked to compensate. */
    COMPENSATED(
            Set.of(
                    "java.io.FileDescriptor.sync",
                    "java.net.InetAddress$PlatformResolver.lookupByAddress",
                    "java.net.InetAddress$PlatformResolver.lookupByName",
                    "java.nio.MappedMemoryUtils.force",
                    "sun.nio.ch.FileChannelImpl.force",
                    "sun.nio.ch.FileChannelImpl.lock")),
    /**
     * File I/O. It holds its carrier, and the scheduler is no longer asked to compensate, unless
     * the file was opened for synchronous or direct access or is the pipe of a process.
     */
    NOT_COMPENSATED(Set.of());

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
    private final Set<String> methods;

    BracketedOperation(Set<String> methods) {
        this.methods = methods;
    }

    static BracketedOperation of(PinnedStack stack) {
        for (String text : stack.frames()) {
            Frame frame = Frame.of(text);
            if (!JdkCode.ownsModule(frame.module())) {
                break;
            }
            String method = frame.className() + '.' + frame.method();
            if (UNMOUNTS.methods.contains(method)) {
                return UNMOUNTS;
            }
            if (COMPENSATED.methods.contains(method)) {
                return COMPENSATED;
            }
        }
        // the recorded frames may end before the method that asks
        return stack.operation().startsWith("java.nio.channels.Selector.")
                ? UNMOUNTS
                : NOT_COMPENSATED;
    }
}
