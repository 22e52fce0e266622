package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Objects;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings({"unused", "serial", "UnusedVariable", "UnusedMethod", "UnusedNestedClass"})
class SerialVersionUidTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                Plain.class,
                Member.class,
                Hidden.class,
                Guarded.class,
                Generic.class,
                Initialized.class,
                Type.class,
                SerialVersionUidTest.class,
                ArrayListChild.class,
                Constructed.class
            })
    void itIsTheOneThatTheJdkComputes(Class<?> type) throws IOException {
        ObjectStreamClass jdk = ObjectStreamClass.lookupAny(type);
        assertThat(SerialVersionUid.of(read(type)).isDeclared()).isFalse();
        if (Serializable.class.isAssignableFrom(type)) {
            assertThat(SerialVersionUid.of(read(type)).compute())
                    .isEqualTo(jdk.getSerialVersionUID());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Plain.class, ArrayListChild.class, Generic.class})
    void aSerializableClassIsFoundToBeOne(Class<?> type) throws IOException {
        assertThat(SerializableCheck.mayBeSerializable(read(type))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {SerialVersionUidTest.class, NotSerializable.class})
    void aClassThatExtendsOnlyTheJdksIsFoundNotToBeOne(Class<?> type) throws IOException {
        assertThat(SerializableCheck.mayBeSerializable(read(type))).isFalse();
    }

    /** {@code ObjectStreamClass} does not compute one: of a record and of an enum it is 0. */
    @ParameterizedTest
    @ValueSource(classes = {Pair.class, Level.class, Declaring.class})
    void aClassForWhichNothingIsComputedLosesItsModifiersAndGainsNoField(Class<?> type)
            throws IOException {
        byte[] classFile = classFile(type);
        byte[] wrapped = Objects.requireNonNull(ClassWrapper.atLoad(classFile)).classFile();

        assertThat(AssembledClass.fields(wrapped)).isEqualTo(AssembledClass.fields(classFile));
        assertThat(AssembledClass.access(classFile, "locked") & Modifier.SYNCHRONIZED).isPositive();
        assertThat(AssembledClass.access(wrapped, "locked") & Modifier.SYNCHRONIZED).isZero();
    }

    @Test
    void aClassIsNoRecordThatOnlyExtendsRecord() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, 0, "Extending", null, "java/lang/Record", null);

        assertThat(SerialVersionUid.of(new ParsedClass(writer.toByteArray())).isZero()).isFalse();
    }

    private static ParsedClass read(Class<?> type) throws IOException {
        return new ParsedClass(classFile(type));
    }

    private static byte[] classFile(Class<?> type) throws IOException {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream(file)) {
            return in.readAllBytes();
        }
    }

    record Pair(String one, String other) implements Serializable {
        synchronized void locked() {}
    }

    enum Level {
        LOW,
        HIGH;

        synchronized void locked() {}
    }

    static class Declaring implements Serializable {
        private static final long serialVersionUID = 42;

        synchronized void locked() {}
    }

    /**
     * Constructors whose order in a class file differs from the one of the specification, which is
     * by descriptor.
     */
    static class Constructed implements Serializable {
        Constructed(String text) {}

        Constructed(int number) {}

        Constructed() {}
    }

    static class Plain implements Serializable {
        private int number;
        transient String text = "";
        public volatile long count;

        public synchronized void a() {}

        private synchronized void b() {}
    }

    protected abstract static class Member implements Serializable, Runnable {
        protected static final String CONSTANT = "x";

        protected Member(int argument) {}

        public abstract double value(int[] numbers, String... texts);
    }

    private static final class Hidden implements Serializable {}

    public static final class Guarded implements Serializable {
        private final Object lock = new Object();

        void run() {
            assert lock != null;
            synchronized (lock) {
                Runnable task = () -> lock.notifyAll();
                task.run();
            }
        }
    }

    static class Generic implements Comparator<String>, Serializable {
        @Override
        public synchronized int compare(String one, String other) {
            return 0;
        }
    }

    static class Initialized implements Serializable {
        static final ArrayList<String> LIST = new ArrayList<>();

        static synchronized native void nativeMethod();
    }

    interface Type extends Serializable {
        void method();
    }

    static class ArrayListChild extends ArrayList<String> {
        @Override
        public synchronized boolean add(String text) {
            return super.add(text);
        }
    }

    static class NotSerializable extends ClassLoader implements Runnable {
        @Override
        public synchronized void run() {}
    }
}
