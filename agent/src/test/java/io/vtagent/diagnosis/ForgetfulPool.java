package io.vtagent.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;

/** A scheduler with one carrier that can forget the threads that are submitted to it. */
final class ForgetfulPool extends ForkJoinPool {
    private final List<ForkJoinTask<?>> forgotten = new ArrayList<>();
    private boolean forgets;

    ForgetfulPool() {
        super(1, defaultForkJoinWorkerThreadFactory, null, true, 0, 1, 1, null, 1, TimeUnit.HOURS);
    }

    /** Forgets what is submitted from now on. */
    synchronized void forget() {
        forgets = true;
    }

    /** Runs what was forgotten. */
    synchronized void remember() {
        forgets = false;
        for (ForkJoinTask<?> task : forgotten) {
            ForkJoinTask<?> unused = super.externalSubmit(task);
        }
        forgotten.clear();
    }

    private synchronized boolean isForgotten(ForkJoinTask<?> task) {
        return forgets && forgotten.add(task);
    }

    @Override
    public void execute(Runnable task) {
        ForkJoinTask<?> adapted = ForkJoinTask.adapt(task);
        if (!isForgotten(adapted)) {
            super.execute(adapted);
        }
    }

    @Override
    public <T> ForkJoinTask<T> externalSubmit(ForkJoinTask<T> task) {
        return isForgotten(task) ? task : super.externalSubmit(task);
    }

    @Override
    public <T> ForkJoinTask<T> lazySubmit(ForkJoinTask<T> task) {
        return isForgotten(task) ? task : super.lazySubmit(task);
    }
}
