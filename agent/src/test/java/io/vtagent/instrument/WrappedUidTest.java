package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A class that is wrapped keeps its {@code serialVersionUID}. */
class WrappedUidTest {
    private static final int STATIC = Opcodes.ACC_STATIC;
    private static final int FINAL = Opcodes.ACC_FINAL;
    private static final List<String> SERIALIZABLE = List.of("java/io/Serializable");

    record Field(int access, String descriptor, @Nullable Object value) {
        void in(ClassWriter writer) {
            writer.visitField(access, "serialVersionUID", descriptor, null, value).visitEnd();
        }
    }

    static Stream<Field> fieldsOfThatName() {
        return Stream.of(
                new Field(STATIC | FINAL, "J", 42L),
                new Field(STATIC | FINAL | Opcodes.ACC_PRIVATE, "I", 42),
                new Field(STATIC | FINAL, "S", 42),
                new Field(STATIC | FINAL, "B", 42),
                new Field(STATIC | FINAL, "C", 42),
                new Field(STATIC, "J", 42L),
                new Field(STATIC | Opcodes.ACC_PRIVATE, "J", 42L),
                new Field(STATIC, "I", 42),
                new Field(FINAL, "J", 42L),
                new Field(0, "J", null),
                new Field(STATIC | FINAL, "Z", 1),
                new Field(STATIC | FINAL, "F", 42f),
                new Field(STATIC | FINAL, "D", 42d),
                new Field(STATIC | FINAL, "Ljava/lang/String;", "42"),
                new Field(STATIC | FINAL, "Ljava/lang/Long;", null),
                new Field(STATIC | FINAL, "[J", null));
    }

    @ParameterizedTest
    @MethodSource("fieldsOfThatName")
    void whateverFieldOfThatNameItHas(Field field) {
        assertSameUid(serializable(field::in));
    }

    @Test
    void whereTwoFieldsHaveThatName() {
        Field declared = new Field(STATIC | FINAL, "I", 42);
        Field other = new Field(STATIC, "J", 42L);
        assertSameUid(
                serializable(
                        writer -> {
                            declared.in(writer);
                            other.in(writer);
                        }));
        assertSameUid(
                serializable(
                        writer -> {
                            other.in(writer);
                            declared.in(writer);
                        }));
    }

    @Test
    void aFieldThatIsNoneOfItsOwnLeavesOnlyTheMethodsSynchronized() {
        AssembledClass made = serializable(new Field(STATIC, "J", 42L)::in);
        Class<?> wrapped = made.wrapped();
        assertThat(wrapped.getDeclaredMethods())
                .allMatch(
                        method ->
                                Modifier.isSynchronized(method.getModifiers())
                                        == method.getName().equals("locked"));
        assertThat(wrapped.getDeclaredFields()).hasSize(1);
    }

    @Test
    void itsEntryAmongTheInnerClassesGivesItsModifiers() {
        AssembledClass made =
                serializable(
                        writer -> writer.visitInnerClass(AssembledClass.NAME, null, null, FINAL));
        Class<?> plain = made.plain();
        Class<?> wrapped = made.wrapped();
        assertThat(plain.getModifiers()).isEqualTo(FINAL);
        assertThat(wrapped.getDeclaredFields()).hasSize(1);
        assertThat(uid(wrapped)).isEqualTo(uid(plain));
    }

    @Test
    void aClassThatClaimsToBeAnEnumIsNone() {
        assertSameUid(
                AssembledClass.of(
                        Opcodes.V21, Opcodes.ACC_ENUM, SERIALIZABLE, WrappedUidTest::locked));
    }

    @Test
    void noSecurityProviderOfTheApplicationIsAsked() {
        AtomicInteger asked = new AtomicInteger();
        Provider own =
                new Provider("own", "1", "") {
                    @Override
                    public synchronized Service getService(String type, String algorithm) {
                        asked.incrementAndGet();
                        return super.getService(type, algorithm);
                    }
                };
        Security.insertProviderAt(own, 1);
        try {
            serializable(writer -> {}).wrappedFile();
        } finally {
            Security.removeProvider("own");
        }
        assertThat(asked).hasValue(0);
    }

    private static AssembledClass serializable(Consumer<ClassWriter> fields) {
        return AssembledClass.of(
                Opcodes.V21, 0, SERIALIZABLE, fields.andThen(WrappedUidTest::locked));
    }

    private static void locked(ClassWriter writer) {
        AssembledClass.method(
                writer,
                Opcodes.ACC_SYNCHRONIZED,
                "locked",
                "()V",
                code -> code.visitInsn(Opcodes.RETURN));
    }

    private static void assertSameUid(AssembledClass made) {
        Class<?> plain = made.plain();
        assertThat(plain).isAssignableTo(Serializable.class);
        assertThat(uid(made.wrapped())).isEqualTo(uid(plain));
    }

    private static long uid(Class<?> type) {
        return ObjectStreamClass.lookup(type).getSerialVersionUID();
    }
}
