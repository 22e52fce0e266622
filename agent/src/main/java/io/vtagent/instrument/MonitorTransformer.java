package io.vtagent.instrument;

import io.vtagent.instrument.ClassWrapper.Wrapped;
import io.vtagent.instrument.WrappedClasses.Change;
import io.vtagent.log.AgentLog;
import io.vtagent.vm.Platform;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the entry of monitors in the classes of the application and its libraries, as they are loaded. A class that cannot be
 * wrapped is loaded as it was. When anybody redefines or retransforms a class, what was done at load is done again, whatever the
 * new version is like, and nothing is asked of the class itself: to reflect on it can load and run code, and fail. Thread-safe.
 */
final class MonitorTransformer implements ClassFileTransformer {
    private final List<String> include;
    private final List<String> exclude;
    private final ClassTally classes;
    private final boolean keepsModifiers;
    private volatile boolean wrapsNoMore;
    private volatile long latestLoadNanos = System.nanoTime();

    /**
     * @param include prefixes of class names, with slashes; none stands for all
     * @param exclude prefixes of class names, with slashes
     * @param keepsModifiers whether no method loses its modifier, so that all of it can be taken back
     */
    MonitorTransformer(List<String> include, List<String> exclude, ClassTally classes, boolean keepsModifiers) {
        this.include = include;
        this.exclude = exclude;
        this.classes = classes;
        this.keepsModifiers = keepsModifiers;
    }

    /** From now on only repeats what the JVM insists on: that methods have lost their modifier. */
    void wrapNoMore() {
        wrapsNoMore = true;
    }

    /** Whether a class came to be loaded in the last so many nanoseconds: it may not be among the loaded ones yet. */
    boolean hasSeenLoadingWithin(long nanos) {
        return System.nanoTime() - latestLoadNanos < nanos;
    }

    /** Whether the class of that name has lost modifiers, or gained a field. */
    boolean hasChanged(ClassLoader loader, String className) {
        Change change = classes.wrapped.get(loader, className);
        return change != null && !change.equals(Change.NONE);
    }

    /** Whether monitors of the class of that name are wrapped, and its modifiers are what they were. */
    boolean hasWrapped(ClassLoader loader, String className) {
        Change change = classes.wrapped.get(loader, className);
        return change != null && change.equals(Change.NONE);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (className == null || loader == null || !isWanted(loader, className)) {
            return null;
        }
        if (redefined == null) {
            // before it is asked whether to wrap: who ends that asks for this afterwards (Transformations.takeBack)
            latestLoadNanos = System.nanoTime();
        }
        if (wrapsNoMore && !hasChanged(loader, className)) {
            return null;
        }
        try {
            return redefined == null && !keepsModifiers
                    ? load(loader, className, classFile)
                    : again(loader, className, classFile);
        } catch (Throwable failure) {
            if (redefined == null) {
                classes.wrapped.remove(loader, className);
            }
            classes.failed.incrementAndGet();
            AgentLog.debug("class " + className.replace('/', '.') + " is left as it was", failure);
            return null;
        }
    }

    private byte @Nullable [] load(ClassLoader loader, String className, byte[] classFile) {
        Wrapped wrapped = ClassWrapper.atLoad(classFile);
        if (wrapped == null) {
            classes.wrapped.remove(loader, className); // an attempt to load another version may have failed before
            return null;
        }
        remember(loader, className, wrapped.change());
        return wrapped.classFile();
    }

    private byte @Nullable [] again(ClassLoader loader, String className, byte[] classFile) {
        Change change = classes.wrapped.get(loader, className);
        byte[] wrapped = ClassWrapper.again(classFile, change == null ? Change.NONE : change);
        if (wrapped != null && change == null) {
            remember(loader, className, Change.NONE);
        }
        return wrapped;
    }

    private void remember(ClassLoader loader, String className, Change change) {
        boolean isNew = classes.wrapped.put(loader, className, change);
        if (isNew && loader != MonitorTransformer.class.getClassLoader()) {
            classes.transformed.incrementAndGet();
        }
    }

    boolean isWanted(ClassLoader loader, String className) {
        if (Platform.ownsLoader(loader)) {
            return false;
        }
        ClassLoader own = MonitorTransformer.class.getClassLoader();
        if (loader == own) {
            return className.startsWith(SelfTest.WRAPPED);
        }
        if (loader.getClass() == own.getClass()) {
            return false; // of an agent that was detached, and is yet to be collected
        }
        return (include.isEmpty() || startsWithAny(className, include)) && !startsWithAny(className, exclude);
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Counts classes, for {@code vthread.agent.classes}. */
    static final class ClassTally {
        final WrappedClasses wrapped = new WrappedClasses();
        final AtomicLong transformed = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
    }
}
