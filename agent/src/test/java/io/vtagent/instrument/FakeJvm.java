package io.vtagent.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Instrumentation} of a JVM whose classes a test names. It shows those of the JDK to the
 * transformers, and changes none.
 */
final class FakeJvm {
    final List<ClassFileTransformer> transformers = new ArrayList<>();

    /** The classes of each call that was made, also if it failed. */
    final List<List<Class<?>>> retransformed = new ArrayList<>();

    final Set<Class<?>> unmodifiable = new HashSet<>();

    /** A call for one of these fails, for all of its classes. */
    final Set<Class<?>> refused = new HashSet<>();

    final Map<ClassLoader, List<Class<?>>> initiated = new HashMap<>();

    /** The number of requests for classes. */
    int timesAsked;

    Supplier<List<Class<?>>> loaded = List::of;

    Instrumentation instrumentation() {
        return (Instrumentation)
                Proxy.newProxyInstance(
                        FakeJvm.class.getClassLoader(),
                        new Class<?>[] {Instrumentation.class},
                        this::call);
    }

    private @Nullable Object call(Object proxy, Method method, Object[] arguments)
            throws IOException {
        switch (method.getName()) {
            case "addTransformer" -> transformers.add((ClassFileTransformer) arguments[0]);
            case "removeTransformer" -> {
                return transformers.remove(arguments[0]);
            }
            case "getAllLoadedClasses" -> {
                timesAsked++;
                return loaded.get().toArray(new Class<?>[0]);
            }
            case "getInitiatedClasses" -> {
                timesAsked++;
                return initiated.getOrDefault(arguments[0], List.of()).toArray(new Class<?>[0]);
            }
            case "isModifiableClass" -> {
                return !unmodifiable.contains(arguments[0]);
            }
            case "retransformClasses" -> retransform(List.of((Class<?>[]) arguments[0]));
            default -> throw new UnsupportedOperationException(method.getName());
        }
        return null;
    }

    private void retransform(List<Class<?>> types) throws IOException {
        retransformed.add(types);
        for (Class<?> type : types) {
            if (refused.contains(type)) {
                throw new InternalError("invalid class " + type.getName());
            }
        }
        for (Class<?> type : types) {
            if (type.getClassLoader() == null) {
                show(type);
            }
        }
    }

    private void show(Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/');
        try (InputStream in =
                Objects.requireNonNull(Object.class.getResourceAsStream("/" + name + ".class"))) {
            byte[] classFile = in.readAllBytes();
            for (ClassFileTransformer transformer : transformers) {
                transformer.transform(null, name, type, null, classFile);
            }
        } catch (IllegalClassFormatException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** All classes that a call without a refused one was made for, each as often as it was. */
    List<Class<?>> transformed() {
        return retransformed.stream()
                .filter(types -> types.stream().noneMatch(refused::contains))
                .<Class<?>>flatMap(List::stream)
                .toList();
    }
}
