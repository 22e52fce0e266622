package io.vtagent.watch;

import io.vtagent.thread.AgentThread;
import io.vtagent.vm.KernelThreads;
import io.vtagent.vm.PlatformThreads;
import io.vtagent.vm.Snapshot;
import io.vtagent.watch.DiagnosisBuilder.Patient;
import io.vtagent.watch.Waits.Link;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Threads that initialize classes while others wait for that, as far as their stacks tell: a frame {@code <clinit>} is of a class that the
 * thread initializes, and who sleeps for long where the stack ends in Java most likely waits for a class that another thread initializes.
 * Which one, the stack does not say, only what the innermost method names ({@link Sleep}); nor does it tell that from a call of
 * {@code java.lang.foreign}, whose frames are hidden. A platform thread, at which nobody looks otherwise, waits if that method names a
 * class that another thread initializes, and it is asleep there; outside Linux that is not known, and it is taken for one that goes on.
 *
 * <p>Whoever initializes a class has a carrier, since that pins, or is a platform thread.
 */
final class Initializers {
    private static final String INITIALIZER = "<clinit>";
    /** A stack takes some 10 to 50 &micro;s, and its thread is stopped for a part of that. */
    private static final int MOST_STACKS = 2_000;

    /** A thread that only stood still for a garbage collection goes on meanwhile. */
    private static final long BETWEEN_LOOKS_NANOS = 20_000_000;

    /**
     * @param waits whether it waits for another class meanwhile
     * @param awaited that class, if it is known
     */
    private record Initializing(
            Who who, String type, boolean waits, @Nullable String awaited, StackTraceElement at) {}

    private final List<Initializing> initializing = new ArrayList<>();
    private final int carriers;
    private final int waiting;
    /** Whether all threads are known that initialize a class. */
    private boolean complete;

    Initializers(List<Patient> patients) {
        carriers = patients.size();
        waiting = (int) patients.stream().filter(Patient::waitsAsForClass).count();
        if (waiting == 0) {
            return;
        }
        List<Class<?>> classes = new ArrayList<>();
        for (Patient patient : patients) {
            add(patient.thread(), patient.frames(), patient.waitsAsForClass(), patient.awaitedClass());
            classes.addAll(Snapshot.of(patient.thread()).initializing());
        }
        List<Thread> platform = List.of(PlatformThreads.all());
        complete = !platform.isEmpty() && platform.size() <= MOST_STACKS;
        if (complete) {
            addThoseOf(platform, classes);
        }
    }

    private void addThoseOf(List<Thread> platform, List<Class<?>> classes) {
        IdentityHashMap<Thread, Snapshot> stacks = new IdentityHashMap<>();
        for (Thread thread : platform) {
            Snapshot stack = thread == Thread.currentThread() ? null : Snapshot.of(thread);
            if (stack != null && !stack.initializing().isEmpty()) {
                stacks.put(thread, stack);
                classes.addAll(stack.initializing());
            }
        }
        Set<Thread> asleep = stacks.isEmpty() ? Set.of() : asleep(stacks);
        stacks.forEach((thread, stack) -> {
            List<Class<?>> others = new ArrayList<>(classes);
            others.removeAll(stack.initializing());
            Sleep sleep = Sleep.in(stack, false).whileOthersInitialize(others);
            boolean waits = sleep.waits() && asleep.contains(thread);
            // which class a native method was given, and whether it is a call of java.lang.foreign, the stack does not
            // tell
            Class<?> awaited = waits && !sleep.byNative() && !sleep.mayBeForeign() ? sleep.awaited() : null;
            add(thread, stack.frames(), waits, awaited == null ? null : awaited.getName());
        });
    }

    /** Those of them that sleep though Java takes them for running, at two looks and in between. */
    private static Set<Thread> asleep(IdentityHashMap<Thread, Snapshot> stacks) {
        Set<Thread> asleep = Collections.newSetFromMap(new IdentityHashMap<>());
        try {
            KernelThreads kernel = new KernelThreads();
            IdentityHashMap<Thread, KernelThreads.Look> first = new IdentityHashMap<>();
            stacks.keySet().forEach(thread -> first.put(thread, kernel.at(thread)));
            AgentThread.pause(BETWEEN_LOOKS_NANOS);
            stacks.forEach((thread, stack) -> {
                KernelThreads.Look look = kernel.at(thread);
                boolean same = look.asleep() && look.equals(first.get(thread));
                if (same
                        && thread.getState() == Thread.State.RUNNABLE
                        && Snapshot.of(thread).frames().equals(stack.frames())) {
                    asleep.add(thread);
                }
            });
        } catch (NoClassDefFoundError missing) { // java.management: nobody knows
            return Set.of();
        }
        return asleep;
    }

    private void add(Thread thread, List<StackTraceElement> frames, boolean waits, @Nullable String awaited) {
        for (StackTraceElement frame : frames) {
            if (frame.getMethodName().equals(INITIALIZER)) {
                initializing.add(
                        new Initializing(Who.of(thread), frame.getClassName(), waits, awaited, frames.getFirst()));
                return;
            }
        }
    }

    /** Those that initialize classes, if none of them goes on before another one does. */
    List<Link> deadlock() {
        if (!complete || initializing.size() < 2 || !initializing.stream().allMatch(Initializing::waits)) {
            return List.of();
        }
        return initializing.stream()
                .map(each -> new Link(
                        each.who,
                        "the initializer of " + each.type,
                        "that of " + (each.awaited == null ? "another class" : each.awaited) + ", at " + each.at))
                .toList();
    }

    /** Whether each of those that wait is known to wait for another one's class. */
    private boolean isProved() {
        Set<String> types = initializing.stream().map(Initializing::type).collect(Collectors.toSet());
        return initializing.stream().allMatch(each -> each.awaited != null && types.contains(each.awaited));
    }

    /** Who initializes what while how many carriers are held by threads that wait for such; null if that is not what they wait for. */
    @Nullable
    String sentence() {
        if (initializing.isEmpty()) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        if (!deadlock().isEmpty()) {
            text.append(isProved() ? "Deadlock" : "Deadlock, most likely,").append(" of class initializers: ");
        }
        text.append(waiting).append(" of ").append(carriers);
        text.append(" carriers are held by threads that wait as for a class that another one initializes. ");
        for (int i = 0; i < initializing.size(); i++) {
            Initializing each = initializing.get(i);
            text.append(i == 0 ? "`" : ", `").append(each.who.shortLabel());
            text.append("` initializes `").append(each.type);
            if (each.awaited != null) {
                text.append("` and waits for `").append(each.awaited).append("`, at `");
            } else {
                text.append(each.waits ? "` and waits so itself, at `" : "` and is at `");
            }
            text.append(each.at).append('`');
        }
        return text + ".";
    }
}
