package io.vtagent.bench.program;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Passes each class of the jar that it comes from to what wraps classes in vt-agent, and to nothing
 * else, several times. Prints how many are wrapped and how long one of them took each time: the
 * first time that code is cold, as in an application that starts.
 */
public final class Wrapping {
    private static final int TIMES = 3;
    private static final double NANOS_PER_MICRO = 1_000;

    private Wrapping() {}

    /**
     * @param arguments the agent's jar
     */
    public static void main(String[] arguments) throws Throwable {
        List<byte[]> classFiles = classFiles();
        URL agent = Path.of(arguments[0]).toUri().toURL();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {agent}, ClassLoader.getPlatformClassLoader())) {
            Method method =
                    Class.forName("io.vtagent.instrument.ClassWrapper", true, loader)
                            .getDeclaredMethod("atLoad", byte[].class);
            method.setAccessible(true);
            MethodHandle wrap = MethodHandles.lookup().unreflect(method);
            for (int time = 1; time <= TIMES; time++) {
                wrapAll(wrap, classFiles, time);
            }
        }
    }

    private static void wrapAll(MethodHandle wrap, List<byte[]> classFiles, int time)
            throws Throwable {
        int wrapped = 0;
        long wrappedNanos = 0;
        for (byte[] classFile : classFiles) {
            long beganNanos = System.nanoTime();
            Object result = wrap.invoke(classFile);
            if (result != null) {
                wrapped++;
                wrappedNanos += System.nanoTime() - beganNanos;
            }
        }
        System.out.println("classes=" + classFiles.size());
        System.out.println("wrapped=" + wrapped);
        System.out.println(
                "microsPerWrapped" + time + "=" + wrappedNanos / NANOS_PER_MICRO / wrapped);
    }

    private static List<byte[]> classFiles() throws IOException {
        List<byte[]> all = new ArrayList<>();
        String jar = Wrapping.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        try (JarFile file = new JarFile(jar)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class")) {
                    try (InputStream in = file.getInputStream(entry)) {
                        all.add(in.readAllBytes());
                    }
                }
            }
        }
        return all;
    }
}
