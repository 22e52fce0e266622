package io.vtagent.it.workload;

import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.PrintWriter;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code RESULTS UIDS SOURCE...}: loads and verifies every class of the jars and of the JDK's
 * modules ({@code jdk}: all of them), in one class loader that has them all, and writes for each
 * what came of it; none is initialized. Then writes the {@code serialVersionUID} of those that the
 * file {@code UIDS} names, or, when there is no such file, of all that depend on it that their
 * methods are {@code synchronized}.
 */
public final class Corpus {
    private static final long LIMIT_SECONDS = 20;
    private static final String NONE = "none";

    /** The byte of a class file with its version. */
    private static final int MAJOR_VERSION = 7;

    /** The version of Java 1.1 and before; that of Java 2 is one more, and so on. */
    private static final int OLDEST = 45;

    private final Map<String, Path> files = new LinkedHashMap<>();
    private final Map<String, Class<?>> serializable = new LinkedHashMap<>();
    private final Map<Integer, Integer> versions = new ConcurrentSkipListMap<>();
    private final Loader loader = new Loader();

    private Corpus() {}

    private final class Loader extends ClassLoader {
        Loader() {
            super("corpus", Corpus.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                Path file = files.get(name);
                if (loaded != null || file == null) {
                    return loaded != null ? loaded : super.loadClass(name, resolve);
                }
                try {
                    byte[] classFile = Files.readAllBytes(file);
                    versions.merge(classFile[MAJOR_VERSION] & 0xFF, 1, Integer::sum);
                    return defineClass(name, classFile, 0, classFile.length);
                } catch (IOException unreadable) {
                    throw new ClassNotFoundException(name, unreadable);
                }
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        Corpus corpus = new Corpus();
        for (String source : List.of(arguments).subList(2, arguments.length)) {
            corpus.add(source);
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])))) {
            corpus.link(out);
            corpus.uids(out, Path.of(arguments[1]));
        }
        WorkloadConsole.fact("classes", corpus.files.size());
        WorkloadConsole.fact("versions", corpus.versions);
        WorkloadConsole.fact("newest", Runtime.version().feature() + OLDEST - 1);
        WorkloadConsole.done();
        System.exit(0); // whatever threads the initializers have started
    }

    private void add(String source) throws IOException {
        if (!source.endsWith(".jar")) {
            Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules");
            try (Stream<Path> all = Files.list(modules)) {
                for (Path module :
                        (Iterable<Path>)
                                all.filter(path -> path.endsWith(source) || source.equals("jdk"))
                                        ::iterator) {
                    addFolder(module);
                }
            }
            return;
        }
        // stays open: the classes are read when they are asked for
        addFolder(FileSystems.newFileSystem(Path.of(source)).getPath("/"));
    }

    private void addFolder(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                String name = root.relativize(file).toString();
                boolean isClass =
                        name.endsWith(".class")
                                && !name.startsWith("META-INF")
                                && !name.endsWith("-info.class");
                // the JDK's own, which makes constructors accessible: on 21 nothing could be
                // deserialized without it
                boolean ofJvm =
                        name.startsWith("java/") || name.startsWith("jdk/internal/reflect/");
                if (isClass && !ofJvm) {
                    files.putIfAbsent(name.substring(0, name.length() - 6).replace('/', '.'), file);
                }
            }
        }
    }

    private void link(PrintWriter out) {
        for (String name : files.keySet()) {
            String result = "linked";
            try {
                Class<?> type = Class.forName(name, false, loader);
                Method[] methods = type.getDeclaredMethods(); // links
                boolean depends =
                        Stream.of(methods)
                                .map(Method::getModifiers)
                                .anyMatch(Modifier::isSynchronized);
                if (Serializable.class.isAssignableFrom(type) && !type.isInterface()) {
                    serializable.put(depends ? name : "", type);
                }
            } catch (Throwable failed) {
                result =
                        failed.toString()
                                .lines()
                                .findFirst()
                                .orElse("")
                                .replaceAll("@[0-9a-fx]+", "");
            }
            out.println("class\t" + name + "\t" + result);
        }
    }

    private void uids(PrintWriter out, Path names) throws Exception {
        List<String> wanted =
                new ArrayList<>(
                        Files.exists(names) ? Files.readAllLines(names) : serializable.keySet());
        wanted.remove("");
        Files.write(names, wanted);
        Map<String, String> uids = new HashMap<>();
        for (String name : wanted) {
            FutureTask<Long> task =
                    new FutureTask<>(
                            () ->
                                    ObjectStreamClass.lookup(Class.forName(name, false, loader))
                                            .getSerialVersionUID());
            Thread.ofPlatform().daemon().start(task); // it initializes the class
            try {
                uids.put(name, Long.toString(task.get(LIMIT_SECONDS, TimeUnit.SECONDS)));
            } catch (Exception failed) {
                uids.put(name, NONE);
            }
            out.println("uid\t" + name + "\t" + uids.get(name));
        }
        WorkloadConsole.fact(
                "uids", uids.values().stream().filter(uid -> !uid.equals(NONE)).count());
        WorkloadConsole.fact("without-uid", uids.values().stream().filter(NONE::equals).count());
    }
}
