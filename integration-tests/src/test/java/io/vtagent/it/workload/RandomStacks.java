package io.vtagent.it.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code SEED pins|pinsNot}: virtual threads block below stacks of 1 to 300 frames, made at random,
 * that hold monitors, run class initializers and come through native frames at random places. Most
 * stacks differ from others in one frame alone. For each kind, reason and site it prints how many
 * pins there are to be, by what it has put on the stacks.
 */
public final class RandomStacks {
    private static final int TREES = 25;
    private static final int VARIANTS = 4;
    private static final int REPEATED = 2;
    private static final int ENTRIES = 30;
    private static final int MAX_STEPS = 150;
    private static final int AT_ONCE = 8;
    private static final int MILLIS = 10;

    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final ThreadLocal<Run> CURRENT = new ThreadLocal<>();

    /** Without a lock, so that no thread waits for another. */
    private static final Queue<String> EXPECTED = new ConcurrentLinkedQueue<>();

    private static final Method REFLECTED = reflected();
    private static final byte[] INITIALIZED = classFile();

    private static boolean monitorsPin;

    private RandomStacks() {}

    /** The step of a frame before it calls the next. */
    private enum Step {
        PLAIN,
        ELSEWHERE,
        MAYBE_NOT,
        MAYBE,
        METHOD,
        BLOCK,
        OTHER_CLASS,
        NATIVE,
        INITIALIZER
    }

    private static final Set<Step> WITH_MONITOR =
            EnumSet.of(Step.MAYBE, Step.METHOD, Step.BLOCK, Step.OTHER_CLASS);
    private static final Set<Step> WITH_NATIVE_FRAME = EnumSet.of(Step.NATIVE, Step.INITIALIZER);

    /** One stack, the outermost step first, as it is built. */
    private static final class Run {
        private final List<Step> steps;
        private final String kind;
        private int at;
        private Object innermost = new Object();

        Run(List<Step> steps, String kind) {
            this.steps = steps;
            this.kind = kind;
        }

        void next() throws Exception {
            if (at == steps.size()) {
                block();
                return;
            }
            Step step = steps.get(at++);
            switch (step) {
                case PLAIN, ELSEWHERE -> new Frames().plain(this, step == Step.PLAIN);
                case MAYBE, MAYBE_NOT -> new Frames().maybe(this, step == Step.MAYBE);
                case METHOD -> new Frames().method(this);
                case BLOCK -> Frames.block(this, new Object());
                case OTHER_CLASS -> new OtherFrames().method(this);
                case NATIVE -> REFLECTED.invoke(null, this);
                case INITIALIZER -> Frames.initialize(this);
            }
        }

        @SuppressWarnings("WaitNotInLoop") // the wait is all there is
        private void block() throws InterruptedException {
            switch (kind) {
                case "park" -> {
                    expect(kind, holder());
                    LockSupport.parkNanos(MILLIS * 1_000_000L);
                }
                case "wait" -> {
                    expect(kind, holder());
                    innermost.wait(MILLIS);
                }
                default -> {
                    synchronized (noted(RandomStacks.class)) {
                        at++;
                    }
                }
            }
        }

        /** Called in the line that enters {@code monitor}. */
        private Object noted(Object monitor) {
            StackFrame caller =
                    frames().stream()
                            .filter(frame -> frame.getMethodName().equals("block"))
                            .findFirst()
                            .orElseThrow();
            expect(kind, "monitor " + location(caller));
            return monitor;
        }

        /** Reason and site; nothing if the thread can unmount. */
        private String holder() {
            int monitor = last(WITH_MONITOR);
            int nativeFrame = last(WITH_NATIVE_FRAME);
            if (monitorsPin && monitor >= 0) {
                List<StackFrame> frames =
                        frames().stream()
                                .filter(frame -> frame.getClassName().endsWith("Frames"))
                                .toList();
                return "monitor " + location(frames.get(steps.size() - 1 - monitor));
            }
            if (nativeFrame < 0) {
                return "";
            }
            return steps.get(nativeFrame) == Step.NATIVE
                    ? "native"
                          + " jdk.internal.reflect.DirectMethodHandleAccessor$NativeAccessor.invoke0:?"
                    : "class_init "
                            + location(
                                    frames().stream()
                                            .filter(
                                                    frame ->
                                                            frame.getMethodName()
                                                                    .equals("<clinit>"))
                                            .findFirst()
                                            .orElseThrow());
        }

        private int last(Set<Step> wanted) {
            int last = steps.size() - 1;
            while (last >= 0 && !wanted.contains(steps.get(last))) {
                last--;
            }
            return last;
        }
    }

    private static List<StackFrame> frames() {
        return WALKER.walk(frames -> frames.toList());
    }

    private static String location(StackFrame frame) {
        return frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getLineNumber();
    }

    private static void expect(String kind, String holder) {
        if (!holder.isEmpty()) {
            EXPECTED.add(kind + " " + holder);
        }
    }

    /** The frames of the steps, one for each. Every object that is locked is one of its own. */
    private static final class Frames {
        @SuppressWarnings("DuplicateBranches") // two bytecode indexes of one method
        void plain(Run run, boolean here) throws Exception {
            if (here) {
                run.next();
            } else {
                run.next();
            }
        }

        void maybe(Run run, boolean held) throws Exception {
            if (held) {
                synchronized (this) {
                    run.innermost = this;
                    run.next();
                }
            } else {
                run.next();
            }
        }

        synchronized void method(Run run) throws Exception {
            run.innermost = this;
            run.next();
        }

        static void block(Run run, Object own) throws Exception {
            synchronized (own) {
                run.innermost = own;
                run.next();
            }
        }

        @SuppressWarnings("UnusedMethod") // called by reflection
        static void reflected(Run run) throws Exception {
            run.next();
        }

        static void initialize(Run run) throws Exception {
            CURRENT.set(run);
            Class.forName(Initialized.class.getName(), true, new OwnLoader());
        }
    }

    /** A class with the same method as {@link Frames}. */
    private static final class OtherFrames {
        synchronized void method(Run run) throws Exception {
            run.innermost = this;
            run.next();
        }
    }

    /** Each {@link OwnLoader} has one of its own. */
    public static final class Initialized {
        static {
            proceed();
        }

        private Initialized() {}
    }

    /** Called by the initializer. */
    public static void proceed() {
        try {
            Objects.requireNonNull(CURRENT.get()).next();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static final class OwnLoader extends ClassLoader {
        OwnLoader() {
            super(RandomStacks.class.getClassLoader());
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            return name.equals(Initialized.class.getName())
                    ? defineClass(name, INITIALIZED, 0, INITIALIZED.length)
                    : super.loadClass(name);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Random random = new Random(Long.parseLong(arguments[0]));
        monitorsPin = arguments[1].equals("pins");
        List<Run> runs = new ArrayList<>();
        for (int tree = 0; tree < TREES; tree++) {
            List<Step> steps = steps(random);
            for (int variant = 0; variant < VARIANTS; variant++) {
                for (int i = 0; i < REPEATED; i++) {
                    runs.add(
                            new Run(
                                    steps,
                                    tree % 2 == 0 || Collections.disjoint(steps, WITH_MONITOR)
                                            ? "park"
                                            : "wait"));
                }
                steps = new ArrayList<>(steps);
                steps.set(random.nextInt(steps.size()), any(random));
            }
        }
        Collections.shuffle(runs, random);
        warmUp();
        WorkloadConsole.warmUp();
        for (int done = 0; done < runs.size(); done += AT_ONCE) {
            // threads that do nothing else, so that no permit to go on is left for their parks
            List<Run> together = runs.subList(done, Math.min(done + AT_ONCE, runs.size()));
            Tasks.run(together.size(), number -> together.get(number).next());
        }
        if (monitorsPin) {
            for (int i = 0; i < ENTRIES; i++) {
                enter(new Run(steps(random), "enter"));
            }
        }
        Map<String, Integer> counts = new TreeMap<>();
        EXPECTED.forEach(pin -> counts.merge(pin, 1, Integer::sum));
        WorkloadConsole.fact("pins", counts);
        WorkloadConsole.done();
    }

    /** Most frames hold nothing. */
    private static List<Step> steps(Random random) {
        List<Step> steps = new ArrayList<>();
        int size = 1 + random.nextInt(MAX_STEPS);
        int holding = 1 + random.nextInt(3);
        for (int i = 0; i < size; i++) {
            steps.add(
                    random.nextInt(size) < holding
                            ? any(random)
                            : random.nextBoolean() ? Step.PLAIN : Step.ELSEWHERE);
        }
        return steps;
    }

    private static Step any(Random random) {
        return Step.values()[random.nextInt(Step.values().length)];
    }

    /** Ensures that no class is initialized below a stack that is sampled. */
    private static void warmUp() throws InterruptedException {
        List<Step> all = List.of(Step.values());
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        new Run(all, "park").next();
                                        new Run(all, "wait").next();
                                        new Run(all, "enter").next();
                                    } catch (Exception failed) {
                                        throw new IllegalStateException(failed);
                                    }
                                });
        thread.join();
        EXPECTED.clear();
    }

    private static void enter(Run run) throws InterruptedException {
        List<Thread> entering;
        synchronized (RandomStacks.class) {
            entering = Tasks.start(1, number -> run.next());
            while (entering.getFirst().getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            Thread.sleep(MILLIS);
        }
        Tasks.join(entering);
    }

    private static Method reflected() {
        try {
            return Frames.class.getDeclaredMethod("reflected", Run.class);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] classFile() {
        String name = Initialized.class.getName().replace('.', '/') + ".class";
        try (InputStream in =
                Objects.requireNonNull(
                        RandomStacks.class.getClassLoader().getResourceAsStream(name))) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
