package io.vtagent.demo.carriers;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Carriers;
import io.vtagent.demo.workload.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * The two settings of the carrier pool, swept, under two kinds of pin: a sleep in a monitor, and
 * {@code Object.wait}.
 *
 * <p>Up to JDK 23 both hold a carrier. But the JDK compensates only for {@code Object.wait}: the
 * scheduler then adds carriers up to {@code maxPoolSize}. It does not compensate for a park, so
 * there the size of the pool is its {@code parallelism}.
 */
public final class CarriersDemo implements DemoCase {

    private static final String SUBMIT_FAILED = "jdk.VirtualThreadSubmitFailed";

    @Override
    public String name() {
        return "carriers";
    }

    @Override
    public String shows() {
        return "What parallelism and maxPoolSize of the scheduler do for threads that sleep in a"
                + " monitor and for threads that wait.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "When a virtual thread pins its carrier because of synchronized, the"
                                + " scheduler adds a carrier, up to maxPoolSize (256). Where pins"
                                + " cannot be removed, raise maxPoolSize."),
                Claim.of(
                        Article.EXPLORATION,
                        "The maximum number of the scheduler's threads defaults to the number of"
                                + " cores, capped at 256, and is configured by maxPoolSize."),
                Claim.of(
                        Article.PINNING,
                        "jdk.VirtualThreadSubmitFailed says that maxPoolSize was reached and a"
                                + " virtual thread could not be scheduled; the pool itself is not"
                                + " directly accessible."));
    }

    @Override
    public String comparison() {
        return "JDK 21 adds a carrier for Object.wait (and for file I/O). For a thread that sleeps,"
                + " reads a socket or waits for a lock inside synchronized it adds none, and"
                + " raising maxPoolSize changes nothing; parallelism does. It is parallelism"
                + " that defaults to the number of cores, and maxPoolSize to 256, as the source"
                + " in the second article has it. jdk.VirtualThreadSubmitFailed never happened:"
                + " at maxPoolSize threads wait in the queue, and there is no event. JEP 444"
                + " says that it means that starting or unparking a thread failed, probably for"
                + " want of a resource. The pool can be seen from JDK 24 on, by"
                + " jdk.management.VirtualThreadSchedulerMXBean; the agent's gauges"
                + " vthread.carriers.* show it on every JDK. From JDK 24 on (JEP 491) neither"
                + " the sleep nor the wait holds a carrier; what is left between the settings is"
                + " how fast so many carriers start and end the threads.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                sleep(2, 256),
                sleep(8, 256), //
                sleep(16, 256),
                sleep(8, 512),
                await(8, 8),
                await(8, 64),
                await(8, 256));
    }

    private static Variant sleep(int parallelism, int maxPoolSize) {
        return variant("sleep", "sleeps in a monitor of its own", parallelism, maxPoolSize);
    }

    private static Variant await(int parallelism, int maxPoolSize) {
        return variant("wait", "waits in a monitor of its own", parallelism, maxPoolSize);
    }

    private static Variant variant(String name, String what, int parallelism, int maxPoolSize) {
        return Variant.of(
                        name + "-" + parallelism + "-" + maxPoolSize,
                        "%s; parallelism %d, maxPoolSize %d"
                                .formatted(what, parallelism, maxPoolSize))
                .onCarriers(parallelism, maxPoolSize);
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(
                scale == Size.Scale.QUICK && variant.startsWith("sleep-2-") ? 300 : 1_000, 10);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    public Result run(String variant, Settings settings) throws Exception {
        Object[] monitors = new Object[settings.tasks()];
        for (int i = 0; i < monitors.length; i++) {
            monitors[i] = new Object();
        }
        Carriers carriers = new Carriers();
        boolean sleeps = variant.startsWith("sleep");
        Load.Task task =
                number -> {
                    synchronized (monitors[number]) {
                        if (sleeps) {
                            Thread.sleep(settings.latencyMillis());
                        } else {
                            monitors[number].wait(
                                    // up to JDK 23 the scheduler compensates for this
                                    settings.latencyMillis());
                        }
                    }
                };
        Load.warmUp(number -> Thread.sleep(0));
        try (Recording recording = new Recording()) {
            recording.enable(SUBMIT_FAILED);
            recording.start();
            double seconds =
                    Load.run(
                            settings.tasks(),
                            settings.tasks(),
                            number -> {
                                carriers.see();
                                task.run(number);
                            });
            recording.stop();
            return Result.ofTasks(settings.tasks(), seconds)
                    .with("carriers", carriers.count())
                    .with(SUBMIT_FAILED, events(recording));
        }
    }

    /**
     * Returns the number of events of that name: a recording also gets the events that others ask
     * for, such as the agent's.
     */
    private static double events(Recording recording) throws IOException {
        Path file = Files.createTempFile("carriers", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(SUBMIT_FAILED))
                    .count();
        } finally {
            Files.delete(file);
        }
    }
}
