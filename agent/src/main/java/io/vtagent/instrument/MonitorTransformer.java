package io.vtagent.instrument;

import io.vtagent.instrument.ClassWrapper.Wrapped;
import io.vtagent.instrument.WrappedClasses.Change;
import io.vtagent.log.AgentLog;
import io.vtagent.site.JdkCode;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the entry of monitors in the classes of the application and its libraries, as they are
 * loaded. A class that cannot be wrapped is loaded unchanged. When a class is redefined or
 * retransformed, the change made at load is repeated, whatever the new version is like. The class
 * itself is not inspected, because reflection on it can load and run code, and fail. Thread-safe.
 */
final class MonitorTransformer implements ClassFileTransformer {
    private final List<String> include;
    private final List<String> exclude;
    private final ClassTally classes;
    private final boolean keepsModifiers;
    private volatile boolean wrapsNoMore;
    private final AtomicInteger wrapping = new AtomicInteger();

    /**
     * @param include prefixes of class names, with slashes; none stands for all
     * @param exclude prefixes of class names, with slashes
     * @param keepsModifiers whether all methods keep their modifier, so that every change can be
     *     reverted
     */
    MonitorTransformer(
            List<String> include,
            List<String> exclude,
            ClassTally classes,
            boolean keepsModifiers) {
        this.include = include;
        this.exclude = exclude;
        this.classes = classes;
        this.keepsModifiers = keepsModifiers;
    }

    /**
     * Stops wrapping. Only the changes that the JVM requires are still repeated: the modifiers that
     * methods have lost.
     */
    void wrapNoMore() {
        wrapsNoMore = true;
    }

    /**
     * Returns whether there may be a class that is not loaded yet and for which {@link #hasWrapped}
     * is true or about to be. A class whose loading has failed will never be loaded.
     *
     * @param loaded the number of loaded classes for which {@link #hasWrapped} is true
     */
    boolean mayLoadMoreThan(int loaded) {
        return wrapping.get() > 0 || classes.wrapped.unchanged() > loaded;
    }

    /** Returns whether the class of that name has lost modifiers, or gained a field. */
    boolean hasChanged(ClassLoader loader, String className) {
        Change change = classes.wrapped.get(loader, className);
        return change != null && !change.equals(Change.NONE);
    }

    /**
     * Returns whether monitors of the class of that name are wrapped, and its modifiers and fields
     * are unchanged.
     */
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
        // before wrapsNoMore is read: the thread that sets wrapsNoMore reads this afterwards
        wrapping.incrementAndGet();
        try {
            if (wrapsNoMore && !hasChanged(loader, className)) {
                return null;
            }
            return redefined == null && !keepsModifiers
                    ? load(loader, className, classFile)
                    : again(loader, className, classFile);
        } catch (Throwable failure) {
            if (redefined == null) {
                classes.wrapped.remove(loader, className);
            }
            classes.failed.incrementAndGet();
            AgentLog.debug("class " + className.replace('/', '.') + " is left unchanged", failure);
            return null;
        } finally {
            wrapping.decrementAndGet();
        }
    }

    private byte @Nullable [] load(ClassLoader loader, String className, byte[] classFile) {
        Wrapped wrapped = ClassWrapper.atLoad(classFile);
        if (wrapped == null) {
            classes.wrapped.remove(
                    loader, className); // an attempt to load another version may have failed before
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
        if (JdkCode.ownsLoader(loader)) {
            return false;
        }
        ClassLoader own = MonitorTransformer.class.getClassLoader();
        if (loader == own) {
            return className.startsWith(SelfTest.WRAPPED);
        }
        if (loader.getClass() == own.getClass()) {
            return false; // the loader of an agent that was detached and is not collected yet
        }
        return (include.isEmpty() || startsWithAny(className, include))
                && !startsWithAny(className, exclude);
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
        final Counter transformed = new Counter();
        final Counter failed = new Counter();
    }

    /** A counter that supplies its value. */
    static final class Counter extends AtomicLong implements LongSupplier {
        private static final long serialVersionUID = 1;

        @Override
        public long getAsLong() {
            return get();
        }
    }
}
