package io.vtagent.it.workload;

import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code synchronized} in every shape that javac gives it. It prints what each of them returns or
 * throws, with the lines of what is thrown; and whether every monitor is free in the end.
 */
@SuppressWarnings({ // odd on purpose
    "finally",
    "InfiniteRecursion",
    "SynchronizeOnNonFinalField",
    "UnnecessaryLambda",
    "WaitNotInLoop"
})
public final class SynchronizedShapes {
    private static final int ROUNDS = 200;
    private static final int THREADS = 16;
    private static final List<Object> MONITORS = new ArrayList<>();

    private static final Object A = monitor(new Object());
    private static final Object B = monitor(new Object());
    private static final int[] ARRAY = monitor(new int[] {1, 2, 3});

    private final Map<String, String> results = new LinkedHashMap<>();

    /** One shape. */
    @FunctionalInterface
    private interface Code {
        @Nullable Object call() throws Throwable;
    }

    private SynchronizedShapes() {}

    private static <T> T monitor(T monitor) {
        MONITORS.add(monitor);
        return monitor;
    }

    public static void main(String[] arguments) throws InterruptedException {
        monitor(Methods.class);
        monitor(SynchronizedShapes.class);
        SynchronizedShapes alone = new SynchronizedShapes();
        alone.all();
        alone.results.forEach(WorkloadConsole::fact);
        WorkloadConsole.fact("stackOverflow", stackOverflow());
        // again in many threads, where entries are contended
        AtomicInteger different = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads =
                Tasks.start(
                        THREADS,
                        number -> {
                            start.await();
                            for (int round = 0; round < ROUNDS; round++) {
                                SynchronizedShapes contended = new SynchronizedShapes();
                                contended.all();
                                if (!contended.results.equals(alone.results)) {
                                    different.incrementAndGet();
                                }
                            }
                        });
        start.countDown();
        Tasks.join(threads);
        WorkloadConsole.fact("different", different);
        WorkloadConsole.fact("held", MONITORS.stream().filter(Thread::holdsLock).count());
        Tasks.run(
                1,
                number ->
                        MONITORS.forEach(
                                SynchronizedShapes::enter)); // does not end if one is not free
        WorkloadConsole.fact("entered", MONITORS.size());
        WorkloadConsole.done();
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            monitor.notifyAll();
        }
    }

    private void is(String shape, Code code) {
        String result;
        try {
            result = String.valueOf(code.call());
        } catch (Throwable thrown) {
            result = thrown + at(thrown);
        }
        if (results.put(shape, result) != null) {
            throw new IllegalStateException(shape + " twice");
        }
    }

    /** The frames of this class, innermost first. */
    private static String at(Throwable thrown) {
        StringBuilder at = new StringBuilder();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getMethodName().equals("is")) {
                break;
            }
            if (frame.getClassName().startsWith(SynchronizedShapes.class.getName())
                    && !frame.getMethodName().startsWith("lambda$")) {
                at.append(" < ")
                        .append(frame.getMethodName())
                        .append(':')
                        .append(frame.getLineNumber());
            }
        }
        return at.toString();
    }

    private void all() {
        blocks();
        exceptions();
        methods();
        members();
    }

    private void blocks() {
        is("nested", () -> nested(3));
        is("loopFirst", () -> loopFirst(5));
        is("doFirst", () -> doFirst(5));
        is("tryFirst", () -> tryFirst("12") + tryFirst("x"));
        is("inLoop", () -> inLoop(4));
        is("labelled", () -> labelled(6));
        is("ofArray", SynchronizedShapes::ofArray);
        is("ofExpression", () -> ofExpression(true) + ofExpression(false));
        is("empty", SynchronizedShapes::empty);
        is("twoInARow", () -> twoInARow(1));
        is("returnsLong", () -> returnsLong(1L << 40));
        is("returnsDouble", () -> returnsDouble(0.5));
        is("returnsFloat", () -> returnsFloat(0.25f));
        is("returnsObject", () -> returnsObject("o"));
        is(
                "returnsNothing",
                () -> {
                    returnsNothing(new int[1]);
                    return "void";
                });
        is("switched", () -> switched("one") + switched("two") + switched(3));
        is("lambdaWithin", () -> lambdaWithin(5).get());
        is("withinLambda", () -> withinLambda().apply(7));
        is("wide", () -> wide(3));
        is("recursive", () -> recursive(20));
        is("locals", () -> locals(1, 2L, 3.0, "4"));
    }

    private static int nested(int depth) {
        int sum = 0;
        synchronized (A) {
            sum += depth;
            synchronized (B) {
                sum *= 2;
                synchronized (A) {
                    sum++;
                }
                sum += Thread.holdsLock(A) ? 100 : 0;
            }
            sum += Thread.holdsLock(B) ? 1_000 : 0;
        }
        return sum;
    }

    private static int loopFirst(int n) {
        int left = n;
        int sum = 0;
        synchronized (A) {
            while (left > 0) {
                sum += left--;
            }
        }
        return sum;
    }

    private static int doFirst(int n) {
        int left = n;
        synchronized (A) {
            do {
                left--;
            } while (left > 0);
        }
        return left;
    }

    private static int tryFirst(String number) {
        synchronized (A) {
            try {
                return Integer.parseInt(number);
            } catch (NumberFormatException none) {
                return -1;
            } finally {
                ARRAY[0] = 1;
            }
        }
    }

    private static int inLoop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (i % 2 == 0 ? A : B) {
                if (i == 2) {
                    continue;
                }
                sum += i;
            }
        }
        return sum;
    }

    private static int labelled(int n) {
        int steps = 0;
        outer:
        for (int i = 0; ; i++) {
            synchronized (A) {
                for (int j = 0; j < n; j++) {
                    synchronized (B) {
                        steps++;
                        if (j > i) {
                            continue outer;
                        }
                        if (i == 3) {
                            break outer;
                        }
                    }
                }
            }
        }
        return steps + (Thread.holdsLock(A) || Thread.holdsLock(B) ? 1_000 : 0);
    }

    private static int ofArray() {
        synchronized (ARRAY) {
            return ARRAY.length;
        }
    }

    private static String ofExpression(boolean first) {
        synchronized (first ? returnsObject(A) : SynchronizedShapes.class) {
            return Thread.holdsLock(first ? A : SynchronizedShapes.class) ? "held" : "free";
        }
    }

    @SuppressWarnings("EmptyBlock")
    private static String empty() {
        synchronized (A) {
        }
        return Thread.holdsLock(A) ? "held" : "free";
    }

    private static int twoInARow(int n) {
        int sum = n;
        synchronized (A) {
            sum++;
        }
        synchronized (A) {
            sum++;
        }
        return sum;
    }

    private static long returnsLong(long value) {
        synchronized (A) {
            return value + 1;
        }
    }

    private static double returnsDouble(double value) {
        synchronized (A) {
            return value * 3;
        }
    }

    private static float returnsFloat(float value) {
        synchronized (A) {
            return value / 2;
        }
    }

    private static <T> T returnsObject(T value) {
        synchronized (B) {
            return value;
        }
    }

    private static void returnsNothing(int[] counter) {
        synchronized (counter) {
            if (counter[0]++ > 0) {
                return;
            }
            counter[0]++;
        }
    }

    private static String switched(Object value) {
        synchronized (A) {
            if (value instanceof Integer number) {
                return number + "";
            }
            return switch (value.toString()) {
                case "one" -> {
                    synchronized (B) {
                        yield "1";
                    }
                }
                case "two" -> "t";
                default -> throw new IllegalArgumentException();
            };
        }
    }

    private static Supplier<Integer> lambdaWithin(int n) {
        synchronized (A) {
            int captured = n;
            return () -> captured * 2;
        }
    }

    private static Function<Integer, String> withinLambda() {
        return number -> {
            synchronized (A) {
                IntFunction<String> inner =
                        n -> {
                            synchronized (B) {
                                return "n" + n;
                            }
                        };
                return inner.apply(number);
            }
        };
    }

    private static int recursive(int depth) {
        synchronized (A) {
            return depth == 0 ? 0 : 1 + recursive(depth - 1);
        }
    }

    private static String locals(int i, long l, double d, String s) {
        synchronized (A) {
            long more = l + i;
            synchronized (B) {
                double most = d + more;
                i = (int) most;
                return s + i + more + most;
            }
        }
    }

    /** More than 256 local variables, so that instructions are wide. */
    private static long wide(int n) {
        long a0 = n,
                a1 = n,
                a2 = n,
                a3 = n,
                a4 = n,
                a5 = n,
                a6 = n,
                a7 = n,
                a8 = n,
                a9 = n,
                b0 = n,
                b1 = n,
                b2 = n;
        long b3 = n,
                b4 = n,
                b5 = n,
                b6 = n,
                b7 = n,
                b8 = n,
                b9 = n,
                c0 = n,
                c1 = n,
                c2 = n,
                c3 = n,
                c4 = n,
                c5 = n;
        long c6 = n,
                c7 = n,
                c8 = n,
                c9 = n,
                d0 = n,
                d1 = n,
                d2 = n,
                d3 = n,
                d4 = n,
                d5 = n,
                d6 = n,
                d7 = n,
                d8 = n;
        long d9 = n,
                e0 = n,
                e1 = n,
                e2 = n,
                e3 = n,
                e4 = n,
                e5 = n,
                e6 = n,
                e7 = n,
                e8 = n,
                e9 = n,
                f0 = n,
                f1 = n;
        long f2 = n,
                f3 = n,
                f4 = n,
                f5 = n,
                f6 = n,
                f7 = n,
                f8 = n,
                f9 = n,
                g0 = n,
                g1 = n,
                g2 = n,
                g3 = n,
                g4 = n;
        long g5 = n,
                g6 = n,
                g7 = n,
                g8 = n,
                g9 = n,
                h0 = n,
                h1 = n,
                h2 = n,
                h3 = n,
                h4 = n,
                h5 = n,
                h6 = n,
                h7 = n;
        long h8 = n,
                h9 = n,
                i0 = n,
                i1 = n,
                i2 = n,
                i3 = n,
                i4 = n,
                i5 = n,
                i6 = n,
                i7 = n,
                i8 = n,
                i9 = n,
                j0 = n;
        long j1 = n,
                j2 = n,
                j3 = n,
                j4 = n,
                j5 = n,
                j6 = n,
                j7 = n,
                j8 = n,
                j9 = n,
                k0 = n,
                k1 = n,
                k2 = n,
                k3 = n;
        long k4 = n,
                k5 = n,
                k6 = n,
                k7 = n,
                k8 = n,
                k9 = n,
                l0 = n,
                l1 = n,
                l2 = n,
                l3 = n,
                l4 = n,
                l5 = n,
                l6 = n;
        long l7 = n,
                l8 = n,
                l9 = n,
                m0 = n,
                m1 = n,
                m2 = n,
                m3 = n,
                m4 = n,
                m5 = n,
                m6 = n,
                m7 = n,
                m8 = n,
                m9 = n;
        synchronized (A) {
            long last = m9;
            synchronized (B) {
                last +=
                        a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + b0 + b1 + b2 + b3 + b4
                                + b5 + b6 + b7 + b8 + b9;
                last +=
                        c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + d0 + d1 + d2 + d3 + d4
                                + d5 + d6 + d7 + d8 + d9;
                last +=
                        e0 + e1 + e2 + e3 + e4 + e5 + e6 + e7 + e8 + e9 + f0 + f1 + f2 + f3 + f4
                                + f5 + f6 + f7 + f8 + f9;
                last +=
                        g0 + g1 + g2 + g3 + g4 + g5 + g6 + g7 + g8 + g9 + h0 + h1 + h2 + h3 + h4
                                + h5 + h6 + h7 + h8 + h9;
                last +=
                        i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 + j0 + j1 + j2 + j3 + j4
                                + j5 + j6 + j7 + j8 + j9;
                last +=
                        k0 + k1 + k2 + k3 + k4 + k5 + k6 + k7 + k8 + k9 + l0 + l1 + l2 + l3 + l4
                                + l5 + l6 + l7 + l8 + l9;
                return last + m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8;
            }
        }
    }

    private void exceptions() {
        is("null", () -> ofNull(null));
        is("nullField", () -> new Holder().enter());
        is("thrownThrough", () -> thrownThrough(0));
        is("thrownFromNested", () -> thrownFromNested(A));
        is("caughtOutside", () -> caughtOutside(0));
        is("finallyReturns", () -> finallyReturns(0));
        is("finallyThrows", () -> finallyThrows(0));
        is("resources", SynchronizedShapes::resources);
        is("notOwner", SynchronizedShapes::notOwner);
        is("freeAfterwards", () -> !Thread.holdsLock(A) && !Thread.holdsLock(B));
    }

    private static final class Holder {
        private @Nullable Object missing;

        @SuppressWarnings("NullAway") // the JVM's reaction to null is under test
        int enter() {
            synchronized (missing) {
                return 1;
            }
        }
    }

    @SuppressWarnings("NullAway") // the JVM's reaction to null is under test
    private static int ofNull(@Nullable Object monitor) {
        synchronized (monitor) {
            return 1;
        }
    }

    private static int thrownThrough(int divisor) {
        synchronized (A) {
            return 1 / divisor;
        }
    }

    private static int thrownFromNested(Object text) {
        synchronized (A) {
            synchronized (B) {
                return ((String) text).length();
            }
        }
    }

    private static String caughtOutside(int divisor) {
        try {
            synchronized (A) {
                synchronized (B) {
                    return "" + 1 / divisor;
                }
            }
        } catch (ArithmeticException caught) {
            return (Thread.holdsLock(A) || Thread.holdsLock(B) ? "held " : "free ")
                    + caught.getMessage()
                    + at(caught);
        }
    }

    private static int finallyReturns(int divisor) {
        synchronized (A) {
            try {
                return 1 / divisor;
            } finally {
                synchronized (B) {
                    return 9;
                }
            }
        }
    }

    private static int finallyThrows(int divisor) {
        synchronized (A) {
            try {
                return 1 / divisor;
            } finally {
                synchronized (B) {
                    throw new IllegalStateException("from finally");
                }
            }
        }
    }

    private static String resources() throws IOException {
        StringBuilder order = new StringBuilder();
        synchronized (A) {
            try (Closeable first = () -> order.append("a");
                    Closeable second = () -> order.append("b")) {
                synchronized (B) {
                    order.append(first == second);
                }
            }
        }
        return order.toString();
    }

    private static int notOwner() {
        synchronized (A) {
            B.notifyAll();
            return 1;
        }
    }

    /** The rest of the stack does not suffice for the calls around the entry either. */
    private static boolean stackOverflow() {
        try {
            deeper(0);
            return false;
        } catch (StackOverflowError expected) {
            return !Thread.holdsLock(A);
        }
    }

    private static long deeper(long depth) {
        synchronized (A) {
            return depth + deeper(depth + 1);
        }
    }

    private void methods() {
        Methods methods = new Methods();
        is("instance", () -> methods.instance(1));
        is("final", () -> methods.finalOne(2));
        is("private", () -> methods.callsPrivate(3));
        is("static", () -> Methods.ofClass(4));
        is("varargs", () -> methods.varargs("a", "b"));
        is("long", () -> methods.longs(5L, 6));
        is("double", () -> methods.doubles(1.5, 2));
        is(
                "void",
                () -> {
                    methods.nothing();
                    return methods.count;
                });
        is(
                "nothingInIt",
                () -> {
                    methods.nothingInIt();
                    return "nothing";
                });
        is("onlyThrows", methods::onlyThrows);
        is("throws", () -> methods.divides(0));
        is("noReturn", () -> methods.noReturn(3));
        is(
                "manyReturns",
                () -> methods.manyReturns(1) + methods.manyReturns(2) + methods.manyReturns(3));
        is("ownHandlers", () -> methods.ownHandlers("x"));
        is("ownBlocks", () -> methods.ownBlocks());
        is("overwritten", () -> Methods.overwritten(1, "p"));
        is("recursiveMethod", () -> methods.recursive(10));
        is("bridge", () -> bridged(new Bridged()));
        is("throughSuper", () -> new Sub().instance(1));
        is("reference", () -> ((Function<Integer, Integer>) methods::instance).apply(7));
        is(
                "reflection",
                () -> Methods.class.getDeclaredMethod("instance", int.class).invoke(methods, 9));
        is(
                "handle",
                () ->
                        (int)
                                MethodHandles.lookup()
                                        .findVirtual(
                                                Methods.class,
                                                "instance",
                                                MethodType.methodType(int.class, int.class))
                                        .invoke(methods, 8));
        is("waits", methods::waits);
        is("freeMethods", () -> !Thread.holdsLock(methods) && !Thread.holdsLock(Methods.class));
    }

    private static String bridged(Comparable<Bridged> one) {
        return one.compareTo(new Bridged()) + " " + ((Supplier<?>) one).get();
    }

    /** Methods that are synchronized. */
    static class Methods {
        private int count;

        synchronized int instance(int n) {
            return Thread.holdsLock(this) ? n : -1;
        }

        final synchronized int finalOne(int n) {
            return Thread.holdsLock(this) ? n : -1;
        }

        private synchronized int privateOne(int n) {
            return Thread.holdsLock(this) ? n : -1;
        }

        int callsPrivate(int n) {
            return privateOne(n) + (Thread.holdsLock(this) ? 100 : 0);
        }

        static synchronized int ofClass(int n) {
            return Thread.holdsLock(Methods.class) ? n : -1;
        }

        synchronized String varargs(String... all) {
            return Arrays.toString(all);
        }

        synchronized long longs(long a, int b) {
            long c = a + b;
            return c * 2;
        }

        synchronized double doubles(double a, long b) {
            return a + b;
        }

        synchronized void nothing() {
            if (count > 0) {
                return;
            }
            count++;
        }

        synchronized void nothingInIt() {}

        synchronized int onlyThrows() throws IOException {
            throw new IOException("only");
        }

        synchronized int divides(int n) {
            return 1 / n;
        }

        synchronized int noReturn(int n) {
            int left = n;
            while (true) {
                if (left-- == 0) {
                    throw new IllegalStateException("enough");
                }
            }
        }

        synchronized String manyReturns(int n) {
            if (n == 1) {
                return "one";
            }
            for (int i = 0; i < n; i++) {
                if (i == 2) {
                    return "three";
                }
            }
            return "other";
        }

        synchronized String ownHandlers(String number) {
            try {
                return Integer.parseInt(number) + "";
            } catch (NumberFormatException none) {
                return "none" + Thread.holdsLock(this);
            } finally {
                count = 1;
            }
        }

        synchronized String ownBlocks() {
            synchronized (A) {
                synchronized (this) {
                    return "" + Thread.holdsLock(this) + Thread.holdsLock(A);
                }
            }
        }

        static synchronized String overwritten(int n, String text) {
            n += 5;
            text = text + n;
            return text;
        }

        synchronized int recursive(int depth) {
            return depth == 0 ? 0 : 1 + recursive(depth - 1);
        }

        synchronized boolean waits() throws InterruptedException {
            wait(1);
            notifyAll();
            return Thread.holdsLock(this);
        }
    }

    private static final class Sub extends Methods {
        @Override
        synchronized int instance(int n) {
            return 10 * super.instance(n);
        }
    }

    private static final class Bridged implements Comparable<Bridged>, Supplier<String> {
        @Override
        public synchronized int compareTo(Bridged other) {
            return Thread.holdsLock(this) ? 1 : -1;
        }

        @Override
        public synchronized String get() {
            return "got";
        }
    }

    private void members() {
        is("constructor", () -> new Built(3).value);
        is("initializer", () -> Initialized.VALUE);
        is("inner", () -> new Outer().inner().sum());
        is("anonymous", () -> anonymous().next());
        is("enum", () -> Level.LOW.height() + Level.HIGH.height() + Level.most());
        is("record", () -> new Point(1, 2).sum());
        is("interface", () -> Stated.stated(1) + new Stated() {}.reported(2));
    }

    private static final class Built {
        private final int value;

        Built(int n) {
            synchronized (this) {
                value = n;
                synchronized (A) {
                    ARRAY[1] = n;
                }
            }
        }
    }

    private static final class Initialized {
        static final int VALUE;

        static {
            int value = 0;
            synchronized (Initialized.class) {
                for (int i = 0; i < 4; i++) {
                    value += i;
                }
            }
            VALUE = value;
        }
    }

    private static final class Outer {
        private final int n = 4;

        private final class Inner {
            synchronized int sum() {
                synchronized (Outer.this) {
                    return n + (Thread.holdsLock(Outer.this) ? 1 : 0);
                }
            }
        }

        Inner inner() {
            return new Inner();
        }
    }

    private static Iterator<String> anonymous() {
        return new Iterator<>() {
            @Override
            public synchronized boolean hasNext() {
                return true;
            }

            @Override
            public synchronized String next() {
                return hasNext() ? "next" : "none";
            }
        };
    }

    private enum Level {
        LOW,
        HIGH {
            @Override
            synchronized int height() {
                return 10 + super.height();
            }
        };

        synchronized int height() {
            return ordinal();
        }

        static synchronized int most() {
            return values().length;
        }
    }

    private record Point(int x, int y) {
        private Point {
            synchronized (A) {
                y++;
            }
        }

        synchronized int sum() {
            return x + y;
        }
    }

    private interface Stated {
        static int stated(int n) {
            synchronized (Stated.class) {
                return n;
            }
        }

        default int reported(int n) {
            synchronized (this) {
                return hidden(n);
            }
        }

        private int hidden(int n) {
            synchronized (A) {
                return n;
            }
        }
    }
}
