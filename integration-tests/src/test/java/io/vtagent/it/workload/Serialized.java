package io.vtagent.it.workload;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * {@code write FILE} or {@code read FILE}: objects of classes with {@code synchronized} methods and
 * without a {@code serialVersionUID}, in every shape that the default one depends on.
 */
public final class Serialized {
    private Serialized() {}

    /** A class with fields that are part of its form and fields that are not. */
    static class Counter implements Serializable {
        static final int LIMIT = 10;
        private static int made;
        public volatile int visible = 3;
        protected final String name;
        private int value;
        transient int alsoCached;

        Counter(String name, int value) {
            this.name = name;
            this.value = value;
            made++;
        }

        synchronized int increment() {
            alsoCached = made;
            return ++value;
        }

        @Override
        public String toString() {
            return getClass().getSimpleName() + " " + name + " " + value + " " + visible;
        }
    }

    /** Inherits that it is serializable, and has a synchronized method of its own. */
    static final class SubCounter extends Counter {
        private long total = 7;

        SubCounter() {
            super("sub", 1);
        }

        @Override
        synchronized int increment() {
            total++;
            return super.increment();
        }

        @Override
        public String toString() {
            return super.toString() + " " + total;
        }
    }

    /** A class without a synchronized method of its own. */
    static class PlainSubCounter extends Counter {
        PlainSubCounter() {
            super("plain", 2);
        }
    }

    interface Named {
        String DEFAULT = new String("named");

        default String named() {
            return DEFAULT;
        }
    }

    /**
     * A class with a static initializer, interfaces in no alphabetical order, generics and a
     * bridge.
     */
    private static final class Ordered
            implements Serializable, Named, Comparable<Ordered>, Supplier<String> {
        private static final List<String> SEEN = new ArrayList<>();

        static {
            SEEN.add("initialized");
        }

        private final int[] order = {SEEN.size(), 2};

        @Override
        public synchronized int compareTo(Ordered other) {
            return Integer.compare(order[0], other.order[0]);
        }

        @Override
        public synchronized String get() {
            return named();
        }

        private synchronized void secret() {
            order[0]++;
        }

        static synchronized int seen(Ordered... all) {
            Supplier<Integer> length = () -> all.length;
            return length.get();
        }

        @Override
        public String toString() {
            secret();
            return "Ordered "
                    + Arrays.toString(order)
                    + " "
                    + get()
                    + " "
                    + compareTo(new Ordered())
                    + " "
                    + seen(this, this);
        }
    }

    /** An inner class, whose outer instance is serialized with it. */
    static class Outer implements Serializable {
        private final int number = 5;

        protected class Inner implements Serializable {
            final int doubled = 2 * number;

            public synchronized double half() {
                assert doubled > 0;
                return doubled / 2.0;
            }
        }

        Inner inner() {
            return new Inner();
        }

        @Override
        public synchronized String toString() {
            return "Outer " + number;
        }
    }

    abstract static class Base implements Serializable {
        protected abstract int size();

        synchronized int twice() {
            return 2 * size();
        }
    }

    /** A class with its own way to be written. */
    static final class Custom extends Base {
        private transient int size = 4;

        @Override
        protected int size() {
            return size;
        }

        private synchronized void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(size);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            size = in.readInt();
        }

        @Override
        public String toString() {
            return "Custom " + size + " " + twice();
        }
    }

    /** A class with a UID of its own, which stays. */
    static final class Versioned implements Serializable {
        private static final long serialVersionUID = 42;

        synchronized int one() {
            return 1;
        }

        @Override
        public String toString() {
            return "Versioned " + one();
        }
    }

    enum Level {
        LOW,
        HIGH {
            @Override
            synchronized int height() {
                return 10;
            }
        };

        synchronized int height() {
            return ordinal();
        }
    }

    record Point(int x, int y) implements Serializable {
        synchronized int sum() {
            return x + y;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("write")) {
            write(file);
        } else {
            read(file);
        }
    }

    private static void write(Path file) throws IOException {
        Counter counter = new Counter("counter", 8);
        counter.increment();
        Outer outer = new Outer();
        Outer.Inner inner = outer.inner();
        List<Object> objects =
                new ArrayList<>(
                        List.of(
                                counter,
                                new SubCounter(),
                                new PlainSubCounter(),
                                new Ordered(),
                                outer,
                                inner,
                                new Custom(),
                                new Versioned(),
                                Level.HIGH,
                                new Point(1, 2)));
        Supplier<String> lambda = (Supplier<String> & Serializable) () -> "lambda";
        objects.add(lambda);
        class Local implements Serializable {
            @Override
            public synchronized String toString() {
                return "Local";
            }
        }
        objects.add(new Local());
        try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(file))) {
            out.writeObject(objects);
        }
        WorkloadConsole.fact("objects", objects.size());
        describe(objects);
        WorkloadConsole.done();
    }

    private static void read(Path file) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
            List<?> objects = (List<?>) in.readObject();
            WorkloadConsole.fact("objects", objects.size());
            describe(objects);
        }
        WorkloadConsole.done();
    }

    private static void describe(List<?> objects) {
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            if (object instanceof Supplier<?> supplier && !(object instanceof Ordered)) {
                WorkloadConsole.fact("object" + i, supplier.get() + "");
                continue;
            }
            String inner =
                    object instanceof Outer.Inner nested
                            ? nested.doubled + " " + nested.half()
                            : "";
            WorkloadConsole.fact("object" + i, inner.isEmpty() ? object : inner);
            WorkloadConsole.fact("uid" + i, uid(object.getClass()));
        }
        WorkloadConsole.fact("synchronizedMethods", synchronizedMethods(Counter.class));
    }

    private static String uid(Class<?> type) {
        ObjectStreamClass stream = ObjectStreamClass.lookup(type);
        return type.getName() + " " + (stream == null ? null : stream.getSerialVersionUID());
    }

    private static long synchronizedMethods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .map(Method::getModifiers)
                .filter(Modifier::isSynchronized)
                .count();
    }
}
