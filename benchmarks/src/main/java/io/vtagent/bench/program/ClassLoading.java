package io.vtagent.bench.program;

import io.vtagent.bench.jmh.MonitorBenchmark;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Loads, but does not initialize, each class of the jar that it comes from, as an application with
 * many libraries does. It prints the CPU time of the thread that loads and, meanwhile, of the JIT
 * compilers. It also prints whether a {@code synchronized} method has been wrapped: such a method
 * has lost its modifier.
 */
public final class ClassLoading {
    /** Two loaders, so that there are about 5,000 classes. */
    private static final int LOADERS = 2;

    private static final double MICRO = 1000;

    /**
     * The time until an agent that starts beside the application has started: its CPU time is a row
     * of its own.
     */
    private static final long SETTLE_MILLIS = 500;

    private ClassLoading() {}

    public static void main(String[] arguments)
            throws IOException, ReflectiveOperationException, InterruptedException {
        URL location = ClassLoading.class.getProtectionDomain().getCodeSource().getLocation();
        List<String> names = classes(Path.of(location.getPath()));
        Thread.sleep(SETTLE_MILLIS);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        int classes = 0;
        long compiledMillis = compilers.getTotalCompilationTime();
        long usedNanos = threads.getCurrentThreadCpuTime();
        long beganNanos = System.nanoTime();
        for (int i = 0; i < LOADERS; i++) {
            try (URLClassLoader loader =
                    new URLClassLoader(
                            new URL[] {location}, ClassLoader.getPlatformClassLoader())) {
                for (String name : names) {
                    classes += load(name, loader);
                }
            }
        }
        long nanos = System.nanoTime() - beganNanos;
        usedNanos = threads.getCurrentThreadCpuTime() - usedNanos;
        compiledMillis = compilers.getTotalCompilationTime() - compiledMillis;
        System.out.println("classes=" + classes);
        System.out.println("microsPerClass=" + nanos / MICRO / classes);
        System.out.println("processorMicrosPerClass=" + usedNanos / MICRO / classes);
        System.out.println("compilersMillis=" + compiledMillis);
        int modifiers = MonitorBenchmark.class.getMethod("method").getModifiers();
        System.out.println("wrapped=" + (Modifier.isSynchronized(modifiers) ? 0 : 1));
    }

    private static List<String> classes(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(
                            name ->
                                    name.substring(0, name.length() - ".class".length())
                                            .replace('/', '.'))
                    .toList();
        }
    }

    private static int load(String name, ClassLoader loader) {
        try {
            Class.forName(name, false, loader);
            return 1;
        } catch (ClassNotFoundException | LinkageError lacksALibrary) {
            return 0;
        }
    }
}
