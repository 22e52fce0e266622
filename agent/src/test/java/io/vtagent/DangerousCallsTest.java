package io.vtagent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No class of the agent has the JVM take its {@code ThreadSnapshot} of a thread
 * (threadService.cpp), which ends JDK 25 while threads mount and unmount (JDK-8374820), neither
 * directly nor by reflection. To read a stack takes none: the thread itself, or its carrier, walks
 * the stack (java_lang_Thread::async_get_stack_trace).
 */
class DangerousCallsTest {
    /** As they stand in a class file: names of methods, and of types with either separator. */
    private static final List<String> FORBIDDEN =
            List.of(
                    // ThreadMXBean, sun.management.ThreadImpl
                    "getThreadInfo",
                    "dumpAllThreads",
                    "findDeadlockedThreads",
                    "findMonitorDeadlockedThreads",
                    "lang.management.ThreadInfo",
                    "lang.management.MonitorInfo",
                    "lang.management.LockInfo",
                    // Thread: VM_ThreadDump for any number of threads
                    "getAllStackTraces",
                    "dumpThreads",
                    // dumps to a file and as text: HotSpotDiagnosticMXBean, jcmd
                    "HotSpotDiagnosticMXBean",
                    "ThreadDumper",
                    "vm.ThreadSnapshot",
                    "DiagnosticCommand",
                    "Thread.print",
                    "Thread.dump_to_file",
                    // events of JFR that take such dumps
                    "jdk.ThreadDump");

    @Test
    void noClassOfTheAgentTakesSnapshotsOfThreads() throws Exception {
        Path classes =
                Path.of(VtAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> all = files.filter(file -> file.toString().endsWith(".class")).toList();
            assertThat(all).hasSizeGreaterThan(300);
            for (Path file : all) {
                assertThat(dangers(Files.readAllBytes(file)))
                        .as(file.getFileName().toString())
                        .isEmpty();
            }
        }
    }

    /** {@code Snapshot} reads no stack while classes are redefined, which could end the JVM. */
    @Test
    void stacksOfOtherThreadsAreReadBySnapshotAlone() {
        noClasses()
                .should()
                .callMethod(Thread.class, "getStackTrace")
                .check(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("io.vtagent"));
    }

    /** As the first test would find them. */
    @Test
    void aCallAMethodReferenceATypeAndANameForReflectionAreFound() throws IOException {
        for (Map.Entry<Class<?>, String> each :
                Map.<Class<?>, String>of(
                                Calls.class, "dumpAllThreads",
                                Refers.class, "getThreadInfo",
                                HasType.class, "lang.management.ThreadInfo",
                                CallsThread.class, "getAllStackTraces",
                                Reflects.class, "dumpThreads")
                        .entrySet()) {
            assertThat(dangers(classFileOf(each.getKey())))
                    .as(each.getKey().getName())
                    .contains(each.getValue());
        }
    }

    private static List<String> dangers(byte[] classFile) {
        String constants = new String(classFile, StandardCharsets.ISO_8859_1).replace('/', '.');
        return FORBIDDEN.stream().filter(constants::contains).toList();
    }

    private static byte[] classFileOf(Class<?> type) throws IOException {
        String name = type.getName();
        try (var file =
                type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return file == null ? new byte[0] : file.readAllBytes();
        }
    }

    @SuppressWarnings("unused")
    private static final class Calls {
        Object dump(ThreadMXBean threads) {
            return threads.dumpAllThreads(false, false);
        }
    }

    @SuppressWarnings("unused")
    private static final class Refers {
        private final LongFunction<?> info = ManagementFactory.getThreadMXBean()::getThreadInfo;
    }

    @SuppressWarnings("unused")
    private record HasType(ThreadInfo info) {}

    @SuppressWarnings("unused")
    private static final class CallsThread {
        int count() {
            return Thread.getAllStackTraces().size();
        }
    }

    @SuppressWarnings("unused")
    private static final class Reflects {
        Object find() throws ReflectiveOperationException {
            return MethodHandles.lookup()
                    .findStatic(
                            Thread.class,
                            "dumpThreads",
                            MethodType.methodType(StackTraceElement[][].class, Thread[].class));
        }
    }
}
