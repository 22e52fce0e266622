package io.vtagent.instrument;

import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes of the application's Micrometer by their loaders. It queries the JVM and not
 * the class loaders, because it must not run the application's code. It loads nothing. Not
 * thread-safe.
 */
final class MicrometerFinder {
    private static final String NAME = JdkTransformer.MICROMETER.replace('/', '.');

    /**
     * The number of queries for a loader that has begun to load the class and does not have it yet.
     * The loading may have failed.
     */
    private static final int TRIES = 10;

    private final Instrumentation instrumentation;
    private final List<Loading> loading = new ArrayList<>();
    private boolean allToBeSearched;

    /**
     * @param running whether classes may have been loaded before their loaders were recorded
     */
    MicrometerFinder(Instrumentation instrumentation, boolean running) {
        this.instrumentation = instrumentation;
        allToBeSearched = running;
    }

    private static final class Loading {
        private final WeakReference<ClassLoader> loader;
        private int tries;

        Loading(WeakReference<ClassLoader> loader) {
            this.loader = loader;
        }
    }

    /** Returns the classes that are new. */
    List<Class<?>> find(List<WeakReference<ClassLoader>> loaders) {
        List<Class<?>> found = new ArrayList<>();
        if (allToBeSearched) {
            addThose(instrumentation.getAllLoadedClasses(), null, found);
            allToBeSearched = false;
        }
        loaders.forEach(loader -> loading.add(new Loading(loader)));
        for (Iterator<Loading> rest = loading.iterator(); rest.hasNext(); ) {
            if (isOver(rest.next(), found)) {
                rest.remove();
            }
        }
        return found;
    }

    private boolean isOver(Loading next, List<Class<?>> found) {
        ClassLoader loader = next.loader.get();
        if (loader == null) {
            return true;
        }
        next.tries++;
        return addThose(instrumentation.getInitiatedClasses(loader), loader, found)
                || next.tries == TRIES;
    }

    /**
     * @param loader the loader that must have defined the classes, null for any
     * @return whether any were found
     */
    private static boolean addThose(
            Class<?>[] candidates, @Nullable ClassLoader loader, List<Class<?>> found) {
        boolean any = false;
        for (Class<?> candidate : candidates) {
            ClassLoader definer = candidate.getClassLoader();
            if (definer != null
                    && definer != MicrometerFinder.class.getClassLoader()
                    && (loader == null || definer == loader)
                    && candidate.getName().equals(NAME)) {
                any = true;
                found.add(candidate);
            }
        }
        return any;
    }
}
