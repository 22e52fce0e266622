package io.vtagent.report;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.report.PinReport.Jvm;
import io.vtagent.site.LoaderFrames;
import io.vtagent.site.PinnedStack;
import java.util.Set;

/** Advises what to do about a site, in a few sentences. */
final class Advice {
    private static final String NO_STACK =
            "These pins were shorter than stack-threshold, or walking their stacks would have cost"
                    + " too much.";

    private static final String GONE =
            "The stacks of these pins were not read: the pins had ended before, or reading them"
                    + " would have cost too much.";

    private static final String NO_STACK_OR_GONE =
            "The stacks of these pins were not read: the pins were shorter than stack-threshold"
                    + " or had ended before, or reading them would have cost too much.";

    private static final String MANY =
            "These sites came after the first max-sites: raise max-sites to list them separately.";
    private static final String WHILE_SWITCHING =
            "The JVM made the carrier wait while a thread was mounted or unmounted: for another"
                    + " tool that stops or counts threads, or on JDK 21 for a class that was"
                    + " loaded, because an agent transforms classes. No code of the application"
                    + " blocks here.";

    private static final String BY_JVM =
            " was not in native code: the JVM itself made it wait, for example for memory, or for"
                    + " a class that another thread loads. There is nothing to change here; the"
                    + " JVM's own logs (-Xlog:gc,safepoint,class+load) have details.";

    private static final String ON_CLASS_WAIT =
            " most likely waits until another thread has loaded, linked or initialized a class,"
                    + " which also holds the carrier on JDK 24 and later: load the class at"
                    + " start-up. If this line enters a synchronized block of the application,"
                    + " it may wait for that monitor instead: replace it with a ReentrantLock.";

    private static final String HOLDS = " has no form that unmounts: ";
    private static final String ON_POOL =
            " If it is frequent, call it on a bounded pool of platform threads.";

    /** The JDK's classes that mount and unmount virtual threads. */
    private static final Set<String> SWITCHES =
            Set.of("java.lang.VirtualThread", "jdk.internal.vm.Continuation");

    private static final String NATIVE_METHOD = "(Native Method)";

    private static final String LOADER_CALL = ".loadClass";

    private static final String CONCURRENT_MAP = "java.util.concurrent.ConcurrentHashMap";

    private static final Set<String> MAP_HOLDERS =
            Set.of(
                    "java.util.Hashtable",
                    "java.util.Collections$SynchronizedMap",
                    "java.util.Properties");

    private Advice() {}

    /** Returns the advice for unattributed pins of {@code kind}. */
    static String withoutStack(PinKind kind) {
        return switch (kind) {
            case NATIVE, JVM -> GONE;
            case ENTER, CLASS_INIT ->
                    NO_STACK_OR_GONE; // found by their threads, by the sampler or by JFR events
            default -> NO_STACK;
        };
    }

    static String on(Site site, Jvm jvm) {
        PinnedStack stack = site.stack();
        if (stack == null) {
            return MANY;
        }
        if (site.key().kind() == PinKind.IO) {
            return onBracketed(stack, jvm);
        }
        if (ClassWaits.isOne(site, jvm)) {
            return withoutLine(site.key().site()) + ON_CLASS_WAIT;
        }
        return on(site.key(), site.reason(), stack);
    }

    private static String on(PinSite site, PinReason reason, PinnedStack stack) {
        String where = withoutLine(site.site());
        if (site.kind() == PinKind.NATIVE) {
            return onNative(where, stack);
        }
        if (site.kind() == PinKind.JVM) {
            return SWITCHES.contains(classOf(where)) ? WHILE_SWITCHING : where + BY_JVM;
        }
        if (site.kind() == PinKind.CLASS_INIT) {
            return where
                    + " waits while another thread initializes "
                    + (stack.monitorClass() == null ? "a class" : stack.monitorClass())
                    + ". Move the slow work out of static initialization, or initialize the class"
                    + " at start-up.";
        }
        if (LoaderFrames.isCall(where) || (reason == PinReason.MONITOR && isAboveLoader(stack))) {
            return onLoader(site.kind(), stack);
        }
        // the thread waits for a monitor in one frame; where monitors do not pin, another frame
        // keeps it on its carrier
        String keeper = stack.nativeFrame() == null ? where : withoutLine(stack.nativeFrame());
        return switch (reason) {
            case MONITOR -> onMonitor(site.kind(), where, stack);
            case NATIVE ->
                    "Native code that "
                            + keeper
                            + " runs called back into Java: its frame cannot leave the carrier. Do"
                            + " not block in the callback, or make the native call on a platform"
                            + " thread.";
            case CLASS_INIT ->
                    "The initializer of "
                            + classOf(keeper)
                            + " blocks, and the JVM cannot unmount a thread that runs one. Move the"
                            + " blocking work out of static initialization, or initialize the class"
                            + " at start-up.";
            case CRITICAL_SECTION ->
                    LoaderFrames.isCall(keeper)
                            ? onLoader(site.kind(), stack)
                            : "The JDK forbids unmounting here for a short while; there is nothing"
                                    + " to change in "
                                    + where
                                    + ".";
            case NONE ->
                    stack.operation()
                            + " could not unmount: the JVM had no memory for that, or no carrier to"
                            + " unmount from.";
        };
    }

    private static String onBracketed(PinnedStack stack, Jvm jvm) {
        String operation = stack.operation();
        if (!jvm.monitorsPin()) {
            return operation + HOLDS + "the scheduler may add a carrier meanwhile." + ON_POOL;
        }
        return switch (BracketedOperation.of(stack)) {
            case UNMOUNTS ->
                    operation
                            + " holds its carrier up to JDK 23, where the scheduler may add one"
                            + " meanwhile, and unmounts from JDK 24 on. Until then, call it on a"
                            + " platform thread.";
            case COMPENSATED ->
                    operation + HOLDS + "the scheduler may add a carrier meanwhile." + ON_POOL;
            case NOT_COMPENSATED ->
                    operation
                            + HOLDS
                            + "up to JDK 23 the scheduler may add a carrier meanwhile, on later"
                            + " JDKs it hardly ever does."
                            + ON_POOL;
        };
    }

    /**
     * Returns whether a class loader, which the JVM may have called, would hold the carrier if the
     * monitor did not.
     */
    private static boolean isAboveLoader(PinnedStack stack) {
        return stack.nativeFrame() != null
                && withoutLine(stack.nativeFrame()).endsWith(LOADER_CALL);
    }

    private static String onLoader(PinKind kind, PinnedStack stack) {
        String what =
                kind == PinKind.ENTER
                        ? "Another thread is loading the same class."
                        : "A class loader blocks in " + stack.operation() + ".";
        return what
                + " A thread whose class loader the JVM has called cannot unmount, on JDK 24 and"
                + " later either: load the class at start-up, or have the loader find it without"
                + " blocking.";
    }

    private static String onNative(String where, PinnedStack stack) {
        if (stack.frames().isEmpty() || !stack.frames().get(0).endsWith(NATIVE_METHOD)) {
            return where
                    + " most likely called a function through java.lang.foreign, whose frames the"
                    + " JVM does not show: it neither unmounts nor lets the scheduler add a"
                    + " carrier. Call it on a bounded pool of platform threads.";
        }
        return where
                + " blocks in native code that neither unmounts nor lets the scheduler add a"
                + " carrier. Call it on a bounded pool of platform threads.";
    }

    private static String onMonitor(PinKind kind, String where, PinnedStack stack) {
        String operation = stack.operation();
        String monitor = stack.monitorClass();
        String holder = classOf(where);
        if (holder.equals(CONCURRENT_MAP)) {
            String blocks =
                    where.startsWith(CONCURRENT_MAP + ".compute")
                                    || where.equals(CONCURRENT_MAP + ".merge")
                            ? "The function given to " + where + " blocks under the lock of its bin"
                            : where
                                    + " waits for the lock of a bin, under which a function given"
                                    + " to compute or merge blocks";
            return blocks
                    + ": compute the value first and put it with putIfAbsent, or map to a future.";
        }
        if (MAP_HOLDERS.contains(holder)
                || (monitor != null
                        && monitor.startsWith("java.util.")
                        && monitor.endsWith("Map"))) {
            return "A map is guarded by synchronized: use a ConcurrentHashMap, and let nothing"
                    + " block in its computeIfAbsent, which would hold the carrier as well.";
        }
        if (kind == PinKind.ENTER && ClassWaits.isOfJdk(stack)) {
            return where
                    + " waits for a monitor inside the JDK. There is no synchronized here to"
                    + " replace: call it less often, or earlier."
                    + onKept(stack);
        }
        if (ClassWaits.isOfJdk(stack)) {
            return where
                    + " blocks inside a synchronized of the JDK, which you cannot change."
                    + (stack.nativeFrame() == null
                            ? " Monitors do not pin on JDK 24 and later. Until then, call"
                            : " Call")
                    + " it less often, or on a platform thread. If your own code blocks there, move"
                    + " that out of the call."
                    + onKept(stack);
        }
        return switch (kind) {
            case WAIT ->
                    "Object.wait holds the carrier for as long as it waits. Replace wait and notify"
                            + " in "
                            + holder
                            + " with a java.util.concurrent.Semaphore for a pool, or with a"
                            + " Condition of a ReentrantLock."
                            + onKept(stack);
            case ENTER ->
                    where
                            + " waits for a monitor that others hold for long. Replace"
                            + " synchronized with a ReentrantLock, or use a"
                            + " ConcurrentHashMap if it guards only a map."
                            + onKept(stack);
            default ->
                    where
                            + " holds a monitor while "
                            + operation
                            + " blocks. Replace synchronized with a ReentrantLock, or call "
                            + operation
                            + " outside of it.";
        };
    }

    /**
     * Returns a warning if the thread keeps a monitor while it waits. A wait gives up at most one
     * monitor; any other one would pin as well after the change.
     */
    private static String onKept(PinnedStack stack) {
        for (String frame : stack.frames()) {
            PinnedStack.Monitors monitors = stack.monitors().get(frame);
            if (monitors != null && monitors.keptByWait() != null) {
                String method = frame.substring(0, frame.lastIndexOf('('));
                return " That alone would not help: "
                        + method.substring(method.lastIndexOf('/') + 1)
                        + " holds a monitor of "
                        + monitors.keptByWait()
                        + " meanwhile, which the wait does not give up. Replace that as well, or"
                        + " wait outside of it.";
            }
        }
        return "";
    }

    static String withoutLine(String site) {
        return site.substring(0, site.lastIndexOf(':'));
    }

    private static String classOf(String method) {
        return method.substring(0, method.lastIndexOf('.'));
    }
}
