package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JdkInternalTest {
    private static final int CONSTANT_STRING = 8;

    /** Names that are internal whether they are in the table or not. */
    private static final Pattern INTERNAL =
            Pattern.compile("jdk[./]internal[./]|(?<![\\w.])sun[./]");

    /** The classes, or packages, that may name internals, and why. */
    private static final Map<String, String> ALLOWED =
            Map.of(
                    "io.vtagent.jvm.JdkInternal", "is the table",
                    "io.vtagent.jvm.JavaBase", "opens packages",
                    "io.vtagent.hotspot.ContentionCounter", "a counter of the JVM, not a class",
                    "io.vtagent.diagnosis.HeldCarrier", "compares frames",
                    "io.vtagent.diagnosis.WaitKind", "compares frames",
                    "io.vtagent.report.Advice", "compares frames of reports, of any JDK",
                    "io.vtagent.report.BracketedOperation",
                            "compares frames of reports, of any JDK",
                    "io.vtagent.sampler.", "compares frames",
                    "io.vtagent.site.NativeFrames", "compares frames",
                    "io.vtagent.site.ReflectiveFrames", "compares frames");

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "EVENT_WRITER_FACTORY")
    void anEntryIsInTheReleasesThatItNamesAndInNoOther(JdkInternal internal) {
        boolean isOfThis = internal.isOf(Runtime.version().feature());

        assertThat(internal.isPresent()).as(internal.description()).isEqualTo(isOfThis);
        assertThat(internal.state())
                .isEqualTo(isOfThis ? JdkInternal.State.PRESENT : JdkInternal.State.ABSENT);
    }

    /** Its class comes with the first recording. */
    @Test
    void whatCannotBeCheckedIsUnknown() {
        assertThat(JdkInternal.EVENT_WRITER_FACTORY.state()).isEqualTo(JdkInternal.State.UNKNOWN);
    }

    @Test
    void releasesAreInclusive() {
        assertThat(JdkInternal.BLOCKER_BEGIN_LONG.isOf(22)).isTrue();
        assertThat(JdkInternal.BLOCKER_BEGIN_LONG.isOf(23)).isFalse();
        assertThat(JdkInternal.BLOCKER_BEGIN.isOf(22)).isFalse();
        assertThat(JdkInternal.BLOCKER_BEGIN.isOf(23)).isTrue();
        assertThat(JdkInternal.VIRTUAL_THREAD.isOf(21)).isTrue();
    }

    @Test
    void anEntryIsDescribedAsClassFilesHaveIt() {
        assertThat(JdkInternal.BLOCKER_BEGIN_LONG.description())
                .isEqualTo("jdk.internal.misc.Blocker.begin()J");
        assertThat(JdkInternal.BLOCKER_BEGIN_LONG.releases()).isEqualTo("up to JDK 22");
        assertThat(JdkInternal.JAVA_THREAD.description()).isEqualTo("java.lang.Thread.eetop J");
        assertThat(JdkInternal.VIRTUAL_THREAD.description()).isEqualTo("java.lang.VirtualThread");
        assertThat(JdkInternal.VM_MONITOR_OWNER).hasToString("ObjectMonitor::_owner");
        assertThat(JdkInternal.ON_PINNED.internalName())
                .isEqualTo("java/lang/VirtualThread$VThreadContinuation");
    }

    @Test
    void whatIsMissingIsNamed() {
        JdkInternal missing =
                Runtime.version().feature() < 27
                        ? JdkInternal.FINISH_FRAMES
                        : JdkInternal.FINISH_FRAMES_OF;

        assertThatThrownBy(missing::method)
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessageContaining(missing.typeName() + "." + missing.member());
        assertThat(missing.changed(new NoSuchMethodException("gone")))
                .hasMessageStartingWith(missing + " is not what it was: ")
                .hasMessageEndingWith("gone");
        assertThatThrownBy(missing::offset)
                .isInstanceOf(InternalError.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void nothingElseNamesAnInternalInAString() throws IOException {
        Set<String> names = internalClasses();
        Map<String, Set<String>> found = new TreeMap<>();
        for (ClassReader agent : agentClasses()) {
            String allowed = allowedFor(agent.getClassName().replace('/', '.'));
            for (String string : strings(agent)) {
                if (INTERNAL.matcher(string).find()
                        || names.stream().anyMatch(string.replace('/', '.')::contains)) {
                    found.computeIfAbsent(allowed, added -> new TreeSet<>()).add(string);
                }
            }
        }

        assertThat(found).containsOnlyKeys(ALLOWED.keySet());
    }

    /** The entry of the list that {@code className} is of, or itself. */
    private static String allowedFor(String className) {
        return ALLOWED.keySet().stream()
                .filter(className::startsWith)
                .findFirst()
                .orElse(className);
    }

    /** The classes of the table that no application can name. */
    private static Set<String> internalClasses() {
        return Stream.of(JdkInternal.values())
                .filter(internal -> internal.typeName().contains("."))
                .filter(internal -> !isExported(internal))
                .map(JdkInternal::typeName)
                .collect(Collectors.toSet());
    }

    private static boolean isExported(JdkInternal internal) {
        try {
            Class<?> type = internal.type();
            Module module = type.getModule();
            return Modifier.isPublic(type.getModifiers())
                    && module.getDescriptor() != null
                    && module.getDescriptor().exports().stream()
                            .anyMatch(
                                    exported ->
                                            !exported.isQualified()
                                                    && exported.source()
                                                            .equals(type.getPackageName()));
        } catch (ClassNotFoundException ofAnotherRelease) {
            return false;
        }
    }

    private static Set<String> strings(ClassReader reader) {
        Set<String> strings = new TreeSet<>();
        char[] buffer = new char[reader.getMaxStringLength()];
        for (int index = 1; index < reader.getItemCount(); index++) {
            int at = reader.getItem(index);
            if (at > 0 && reader.readByte(at - 1) == CONSTANT_STRING) {
                strings.add(reader.readUTF8(at, buffer));
            }
        }
        return strings;
    }

    /** Members that the JVM links are in the table as well, so that the command checks them. */
    @Test
    void eachInternalMemberThatTheAgentRefersToIsInTheTable() throws IOException {
        Set<String> table =
                Stream.of(JdkInternal.values())
                        .map(JdkInternalTest::reference)
                        .collect(Collectors.toSet());

        assertThat(references("jdk/internal/", "sun/"))
                .contains("jdk/internal/misc/Unsafe.getLong(Ljava/lang/Object;J)J")
                .isSubsetOf(table);
    }

    @Test
    void nothingIsInTheTableThatTheAgentDoesNotUse() throws IOException {
        Set<String> linked = references("jdk/internal/", "sun/");
        Set<String> constants = references("io/vtagent/jvm/JdkInternal");

        assertThat(JdkInternal.values())
                .filteredOn(internal -> !linked.contains(reference(internal)))
                .filteredOn(
                        internal ->
                                !constants.contains(
                                        "io/vtagent/jvm/JdkInternal."
                                                + internal.name()
                                                + "Lio/vtagent/jvm/JdkInternal;"))
                .containsExactlyInAnyOrder(
                        JdkInternal.STACK_AS_OBJECT, // found as the other one, by its name
                        JdkInternal.LONG_CONDITION_OWNER, // as the other one
                        JdkInternal.CONTINUATION_ON_PINNED, // overridden
                        JdkInternal.DONT_INLINE); // an annotation
    }

    private static String reference(JdkInternal internal) {
        return internal.internalName() + "." + internal.member() + internal.descriptor();
    }

    /** The members of classes with these prefixes that classes other than the table refer to. */
    private static Set<String> references(String... prefixes) throws IOException {
        Set<String> found = new TreeSet<>();
        for (ClassReader agent : agentClasses()) {
            if (!agent.getClassName().equals("io/vtagent/jvm/JdkInternal")) {
                agent.accept(new References(List.of(prefixes), found), ClassReader.SKIP_FRAMES);
            }
        }
        return found;
    }

    private static final class References extends ClassVisitor {
        private final List<String> prefixes;
        private final Set<String> found;

        References(List<String> prefixes, Set<String> found) {
            super(Opcodes.ASM9);
            this.prefixes = prefixes;
            this.found = found;
        }

        private void add(String owner, String name, String descriptor) {
            boolean ofEachEnum = name.equals("name") || name.equals("ordinal");
            if (prefixes.stream().anyMatch(owner::startsWith) && !ofEachEnum) {
                found.add(owner + "." + name + descriptor);
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String called, String type, boolean isInterface) {
                    add(owner, called, type);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String field, String type) {
                    add(owner, field, type);
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String called, String type, Handle bootstrap, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            add(handle.getOwner(), handle.getName(), handle.getDesc());
                        }
                    }
                }
            };
        }
    }

    private static Iterable<ClassReader> agentClasses() throws IOException {
        Path classes =
                Path.of(
                        URI.create(
                                JdkInternal.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toString()));
        try (Stream<Path> files = Files.walk(classes.resolve("io").resolve("vtagent"))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .map(JdkInternalTest::read)
                    .toList();
        }
    }

    private static ClassReader read(Path file) {
        try {
            return new ClassReader(Files.readAllBytes(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
