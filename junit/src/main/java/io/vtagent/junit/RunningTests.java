package io.vtagent.junit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Records which tests run at the same time in this JVM, and which classes, because these may be
 * being set up. JUnit's launcher reports all of them. If it does not, because it was given other
 * listeners, only the watched tests are known. Thread-safe by one lock.
 */
public final class RunningTests implements TestExecutionListener {
    private static final Object LOCK = new Object();
    private static final List<Run> WATCHED = new ArrayList<>();
    private static final Set<TestIdentifier> ALL = new HashSet<>();

    /** A watched test. */
    static final class Run {
        private final String id;
        private final String name;
        private final Set<String> others = new HashSet<>();
        private final List<Run> watchedOthers = new ArrayList<>();
        private long number;
        private long endedAtNanos;

        private Run(String id, String name) {
            this.id = id;
            this.name = name;
        }

        /** Returns whether this is {@code test}, or is in it if that is a class. */
        private boolean isWithin(TestIdentifier test) {
            return UniqueId.parse(id).hasPrefix(test.getUniqueIdObject());
        }

        void numbered(long newNumber) {
            synchronized (LOCK) {
                number = newNumber;
            }
        }

        /** Returns whether no other test has run since this one began. */
        boolean isAlone() {
            return others().isEmpty();
        }

        /** Returns the names of the other tests that have run since this one began. */
        Set<String> others() {
            synchronized (LOCK) {
                return Set.copyOf(others);
            }
        }

        /**
         * Returns whether {@code test}, this one or another watched one, was still running at
         * {@code nanos}, on the scale of {@link System#nanoTime}.
         */
        boolean wasRunning(long test, long nanos) {
            synchronized (LOCK) {
                return test == number
                        || watchedOthers.stream()
                                .anyMatch(
                                        run ->
                                                run.number == test
                                                        && (WATCHED.contains(run)
                                                                || nanos - run.endedAtNanos < 0));
            }
        }

        void end() {
            synchronized (LOCK) {
                WATCHED.remove(this);
                endedAtNanos = System.nanoTime();
                watchedOthers.clear(); // otherwise each would retain those before it
            }
        }
    }

    /** Called by JUnit's launcher. */
    public RunningTests() {}

    static Run begin(ExtensionContext context) {
        Run run = new Run(context.getUniqueId(), name(context));
        synchronized (LOCK) {
            for (Run other : WATCHED) {
                run.others.add(other.name);
                run.watchedOthers.add(other);
                other.others.add(run.name);
                other.watchedOthers.add(run);
            }
            ALL.stream()
                    .filter(test -> !run.isWithin(test))
                    .forEach(test -> run.others.add(name(test)));
            WATCHED.add(run);
        }
        return run;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.getParentId().isEmpty()) {
            return; // an engine
        }
        synchronized (LOCK) {
            ALL.add(test);
            WATCHED.forEach(run -> run.others.add(name(test)));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult unused) {
        synchronized (LOCK) {
            ALL.remove(test);
        }
    }

    private static String name(ExtensionContext context) {
        String ofClass = context.getTestClass().map(Class::getSimpleName).orElse("");
        return ofClass.isEmpty()
                ? context.getDisplayName()
                : ofClass + "." + context.getDisplayName();
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(
                        method ->
                                method.getClassName().replaceFirst(".*[.$]", "")
                                        + "."
                                        + test.getDisplayName())
                .orElse(test.getDisplayName());
    }
}
