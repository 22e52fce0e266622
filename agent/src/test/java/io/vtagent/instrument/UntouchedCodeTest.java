package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.instrument.ClassWrapper.Wrapped;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Wrapping adds calls and blocks; all else in a class file is there afterwards, at the instruction
 * where it was.
 */
class UntouchedCodeTest {
    private static final int MANY = 40;
    private static final int FAR = 32_000;

    @Test
    void theClassesOfTheLibrariesKeepTheirCode() throws IOException {
        int wrapped = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entry.endsWith(".jar")) {
                wrapped += wrapped(Path.of(entry));
            }
        }
        assertThat(wrapped).isGreaterThan(MANY);
    }

    private static int wrapped(Path jar) throws IOException {
        int wrapped = 0;
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class")) {
                    wrapped += compare(file.getInputStream(entry).readAllBytes()) ? 1 : 0;
                }
            }
        }
        return wrapped;
    }

    @Test
    void whatRefersToInstructionsFollowsThem() throws IOException {
        String file = Everything.class.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(ClassLoader.getSystemResourceAsStream(file))) {
            assertThat(compare(in.readAllBytes())).isTrue();
        }
        assertThat(new Everything().work(List.of("a", "b"), 3)).isEqualTo("b3");
    }

    @Test
    void jumpsOfFourBytesFollow() {
        byte[] classFile = withJump(FAR + 5_000);
        assertThat(new ParsedClass(classFile).methodCount()).isEqualTo(2);
        assertThat(compare(classFile)).isTrue();
        assertThat(AssembledClass.of(classFile).wrapped()).isNotNull();
    }

    @Test
    void aClassIsRefusedIfAJumpWouldNotReachAnyMore() {
        byte[] reaches = withJump(FAR);
        assertThat(compare(reaches)).isTrue();
        // from the switch back to the beginning: 32,768 bytes are the most
        byte[] justReaches = withJump(Short.MAX_VALUE - 15);
        assertThatThrownBy(() -> ClassWrapper.atLoad(justReaches))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(AssembledClass.of(justReaches).plain()).isNotNull();
    }

    @Test
    void theCallAfterAnEntryLiesWhereTheMonitorIsReleased() {
        List<String> order = new ArrayList<>();
        Wrapped wrapped = Objects.requireNonNull(ClassWrapper.atLoad(withJump(1)));
        new ClassReader(wrapped.classFile())
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String type,
                                    @Nullable String form,
                                    String @Nullable [] thrown) {
                                return new OrderOfProtection(order);
                            }
                        },
                        0);
        assertThat(order).containsExactly("entering", "protected from here on", "entered");
    }

    /** Notes where the code begins that the handlers stand for, and the calls. */
    private static final class OrderOfProtection extends MethodVisitor {
        private final List<String> order;
        private final Set<Label> starts = new HashSet<>();

        OrderOfProtection(List<String> order) {
            super(Opcodes.ASM9);
            this.order = order;
        }

        @Override
        public void visitTryCatchBlock(
                Label start, Label end, Label handler, @Nullable String type) {
            if (!starts.contains(handler)) {
                starts.add(start);
            }
        }

        @Override
        public void visitLabel(Label label) {
            if (starts.remove(label)) {
                order.add("protected from here on");
            }
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String type, boolean ofInterface) {
            if (owner.endsWith("VtAgentProbe")) {
                order.add(name);
            }
        }
    }

    /** Compares a class with itself when it is wrapped, and returns whether it is wrapped. */
    static boolean compare(byte[] classFile) {
        Wrapped wrapped = ClassWrapper.atLoad(classFile);
        if (wrapped == null) {
            return false;
        }
        Map<String, List<String>> before = CodeListing.of(classFile, Set.of());
        Map<String, List<String>> after =
                CodeListing.of(wrapped.classFile(), wrapped.change().unsynchronized());
        assertThat(after.keySet()).isEqualTo(before.keySet());
        String name = new ClassReader(classFile).getClassName();
        before.forEach(
                (method, code) ->
                        assertThat(after.get(method))
                                .as(name + " " + method)
                                .containsExactlyElementsOf(code));
        return true;
    }

    /**
     * Returns a {@code synchronized} block, {@code bytes} bytes, and a jump back to its beginning.
     */
    private static byte[] withJump(int bytes) {
        return AssembledClass.classFile(
                Opcodes.V1_5,
                0,
                List.of(),
                writer ->
                        AssembledClass.method(
                                writer,
                                Opcodes.ACC_PUBLIC,
                                "run",
                                "()I",
                                code -> {
                                    Label again = new Label();
                                    code.visitLabel(again);
                                    AssembledClass.block(code);
                                    for (int i = 0; i < bytes; i++) {
                                        code.visitInsn(Opcodes.NOP);
                                    }
                                    code.visitInsn(Opcodes.ACONST_NULL);
                                    code.visitJumpInsn(Opcodes.IFNONNULL, again);
                                    code.visitInsn(Opcodes.ICONST_1);
                                    code.visitInsn(Opcodes.IRETURN);
                                }));
    }

    @Target(ElementType.TYPE_USE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        String[] value() default {};

        Class<?> type() default Object.class;

        ElementType element() default ElementType.TYPE;

        Retention nested() default @Retention(RetentionPolicy.CLASS);
    }

    /**
     * Everything that a class file can contain about instructions, in methods that are wrapped in
     * both ways.
     */
    @SuppressWarnings({
        "unused",
        "SameParameterValue",
        "UnusedVariable",
        "StatementSwitchToExpressionSwitch",
        "RedundantCast",
        "BadInstanceof"
    })
    static final class Everything {
        private final Object lock = new Object();

        synchronized @Nullable String work(List<String> texts, int number) {
            @Marked({"a", "b"})
            String last = "";
            for (@Marked(type = String.class) String text : texts) {
                int length = text.length();
                switch (number) {
                    case 1:
                        last = text;
                        break;
                    case 2, 3:
                        last = (@Marked(element = ElementType.FIELD) String) text + number;
                        break;
                    case 1_000_000:
                        return last;
                    default:
                        last = null;
                }
                synchronized (lock) {
                    if ((Object) text
                            instanceof
                            @Marked(nested = @Retention(RetentionPolicy.SOURCE)) String) {
                        number += length - 1;
                    }
                    switch (length) {
                        case 0, 1, 2, 3:
                            break;
                        default:
                            return new @Marked String(last);
                    }
                }
            }
            try {
                Supplier<List<String>> made = ArrayList<@Marked("x") String>::new;
                made.get().<@Marked String>toArray(new String[number > 0 ? number : 1]);
            } catch (
                    @Marked("caught")
                    IllegalStateException thrown) {
                synchronized (this) {
                    last = new String(thrown.getMessage() == null ? "none" : thrown.getMessage());
                }
            }
            return last;
        }

        static synchronized long words(long one, double other) {
            double sum = 0;
            for (int i = 0; i < one; i++) {
                sum += other * (i > 3 ? one : i);
            }
            return (long) sum;
        }
    }
}
