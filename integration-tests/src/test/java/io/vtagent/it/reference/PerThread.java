package io.vtagent.it.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A workload in rounds. In every round every thread does something that can be done only once; each
 * has a subject of its own.
 */
final class PerThread<T> implements Workload {

    /** Makes one. */
    @FunctionalInterface
    interface Creation<T> {
        T create() throws Exception;
    }

    /** The use of a subject. */
    @FunctionalInterface
    interface Use<T> {
        void use(T subject) throws Exception;
    }

    private final int threads;
    private final List<T> subjects = new ArrayList<>();
    private final Use<T> use;

    /**
     * @param limit for how long there are some, if each lasts for {@link AwaitedOperation#MILLIS}
     */
    PerThread(int threads, Duration limit, Creation<T> creation, Use<T> use) throws Exception {
        this.threads = threads;
        this.use = use;
        for (long i = threads * (limit.toMillis() / AwaitedOperation.MILLIS + 2); i > 0; i--) {
            subjects.add(creation.create());
        }
    }

    @Override
    public void hold(int thread, int round) throws Exception {
        use.use(subjects.get(round * threads + thread));
    }
}
