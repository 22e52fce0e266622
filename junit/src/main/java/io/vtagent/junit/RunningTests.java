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
 * Which tests run at the same time in this JVM, and which classes, which may be being set up: all of them, since JUnit's launcher tells. Where
 * it does not, because it was given other listeners, those that are watched. Thread-safe by one lock.
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

        /** Whether it is {@code test}, or is in it if that is a class. */
        private boolean isWithin(TestIdentifier test) {
            return UniqueId.parse(id).hasPrefix(test.getUniqueIdObject());
        }

        void numbered(long newNumber) {
            synchronized (LOCK) {
                number = newNumber;
            }
        }

        /** Whether no other test ran since it began. */
        boolean isAlone() {
            return others().isEmpty();
        }

        /** The names of those that did. */
        Set<String> others() {
            synchronized (LOCK) {
                return Set.copyOf(others);
            }
        }

        /** Whether {@code test}, this one or another watched one, was still running at {@code nanos}, on the scale of {@link System#nanoTime}. */
        boolean wasRunning(long test, long nanos) {
            synchronized (LOCK) {
                return test == number
                        || watchedOthers.stream()
                                .anyMatch(run ->
                                        run.number == test && (WATCHED.contains(run) || nanos - run.endedAtNanos < 0));
            }
        }

        void end() {
            synchronized (LOCK) {
                WATCHED.remove(this);
                endedAtNanos = System.nanoTime();
                watchedOthers.clear(); // or each would keep those before it
            }
        }
    }

    /** Made by JUnit's launcher. */
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
            ALL.stream().filter(test -> !run.isWithin(test)).forEach(test -> run.others.add(name(test)));
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
        return ofClass.isEmpty() ? context.getDisplayName() : ofClass + "." + context.getDisplayName();
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(method -> method.getClassName().replaceFirst(".*[.$]", "") + "." + test.getDisplayName())
                .orElse(test.getDisplayName());
    }
}
