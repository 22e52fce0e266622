package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.tools.attach.VirtualMachine;
import io.vtagent.it.stress.Stress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * All sensors, relief, scrapes, attaching and class loading at once: no thread of the application
 * waits for one of the agent's, or inside the agent's code, or loads a class of it. In the end all
 * is accounted for.
 */
final class NoWaiting {
    private static final int CARRIERS = 4;
    private static final int MAX_CARRIERS = 32;
    private static final Duration MAX_EXCEPTED = Duration.ofSeconds(2);
    private static final long BETWEEN_ATTACHES_NANOS = 700_000_000;
    private static final List<String> PATHS = List.of("/metrics", "/api/report", "/", "/healthz");
    private static final List<String> SCHEDULERS =
            List.of(
                    "java.util.concurrent.ForkJoin",
                    "jdk.internal.vm.ThreadContainer",
                    "jdk.internal.misc.CarrierThread");

    private final Jdk jdk;
    private final int seconds;
    private final int threads;
    private final Path file;
    private final AtomicInteger visits = new AtomicInteger();
    private final AtomicInteger attaches = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /**
     * @param threads the maximum number of virtual threads of the application at a time
     * @param folder for the file of Flight Recorder
     */
    NoWaiting(Jdk jdk, int seconds, int threads, Path folder) {
        this.jdk = jdk;
        this.seconds = seconds;
        this.threads = threads;
        file = folder.resolve("stress.jfr");
    }

    void run() throws IOException, InterruptedException {
        long beganNanos = System.nanoTime();
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(CARRIERS)
                        .vm(
                                "-XX:+EnableDynamicAgentLoading",
                                "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
                                "-Djdk.virtualThreadScheduler.maxPoolSize=" + MAX_CARRIERS,
                                "-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent(
                                "port=0,report=off,relief=on,vm-events=on,jfr-events=on,histogram=on,starvation-after=500ms")
                        .main(Stress.class, seconds, file, threads)) {
            Endpoint endpoint = jvm.endpoint();
            List<Thread> visitors = new ArrayList<>();
            PATHS.forEach(
                    path ->
                            visitors.add(
                                    Thread.ofPlatform()
                                            .daemon()
                                            .start(() -> repeat(() -> visit(endpoint, path)))));
            visitors.add(Thread.ofPlatform().daemon().start(() -> repeat(() -> attach(jvm))));
            jvm.awaitLine("warm").awaitMetrics(NoWaiting::areSensorsUp);
            jvm.proceed();
            // the limit of a line is shorter than the run may be
            for (int waited = 0; waited < seconds; waited += 10) {
                LockSupport.parkNanos(Math.min(seconds - waited, 10) * 1_000_000_000L);
            }
            double samples = jvm.number("samples");
            jvm.awaitLine("done");
            ended = true;
            for (Thread visitor : visitors) {
                visitor.join();
            }
            System.out.printf(
                    "%s: %.0f tasks, %.0f samples of %.0f threads, %d answers, %d times attached%n",
                    jdk,
                    jvm.number("tasks"),
                    samples,
                    jvm.number("seen"),
                    visits.get(),
                    attaches.get());
            assertThat(failures).isEmpty();
            assertThat(visits.get()).isGreaterThan(PATHS.size());
            assertThat(attaches.get()).isPositive();
            assertThat(jvm.number("failed")).isZero();
            assertThat(samples).isPositive();
            assertThat(jvm.stdout()).noneMatch(line -> line.startsWith("violation:"));
            assertThat(inRecording()).isEmpty();
            isAccountedFor(jvm, (System.nanoTime() - beganNanos) / 1e9);
            assertThat(jvm.proceed().end()).isZero();
        }
    }

    private void repeat(Callable<?> task) {
        try {
            while (!ended) {
                Object unused = task.call();
            }
        } catch (Throwable failure) {
            failures.add(failure);
        }
    }

    private int visit(Endpoint endpoint, String path) {
        assertThat(endpoint.get(path, "*/*").statusCode()).isEqualTo(200);
        LockSupport.parkNanos(10_000_000);
        return visits.incrementAndGet();
    }

    /** A second agent is refused, but it is loaded. */
    private int attach(ForkedJvm jvm) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
        machine.loadAgent(ForkedJvm.agentJar().toString(), "port=0,report=off");
        machine.detach();
        LockSupport.parkNanos(BETWEEN_ATTACHES_NANOS);
        return attaches.incrementAndGet();
    }

    private List<String> inRecording() throws IOException {
        List<String> found = new ArrayList<>();
        int events = 0;
        int lost = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents() && found.size() < 10) {
                RecordedEvent event = recording.readEvent();
                events++;
                lost += event.getEventType().getName().equals("jdk.DataLoss") ? 1 : 0;
                if (!isByAgent(event) && isViolation(event)) {
                    found.add(event + inFull(event.getStackTrace()));
                }
            }
        }
        System.out.println(jdk + ": " + events + " events, " + lost + " times events were lost");
        assertThat(events).isPositive();
        assertThat(Files.size(file))
                .as("or else the oldest would be missing")
                .isLessThan(Stress.MAX_BYTES);
        return found;
    }

    private static String inFull(@Nullable RecordedStackTrace stack) {
        StringBuilder text = new StringBuilder();
        if (stack != null) {
            stack.getFrames()
                    .forEach(
                            frame ->
                                    text.append("\n    ")
                                            .append(frame.getMethod().getType().getName())
                                            .append('.')
                                            .append(frame.getMethod().getName()));
        }
        return text.toString();
    }

    private static boolean isViolation(RecordedEvent event) {
        // Flight Recorder locks its table of strings when a thread writes an event with a string
        // that is new to a chunk
        if (isByRecorder(event) || innermost(event).equals("jdk.jfr.internal.StringPool")) {
            return false;
        }
        return switch (event.getEventType().getName()) {
            case "jdk.JavaMonitorEnter" -> {
                RecordedThread owner = event.getThread("previousOwner");
                // a thread that uses Flight Recorder waits for others that do
                String monitor = event.getClass("monitorClass").getName();
                boolean recorders =
                        monitor.startsWith("jdk.jfr.") || innermost(event).startsWith("jdk.jfr.");
                // the JDK takes a lock for some instructions to open a file or a socket: the agent
                // does for each
                // request, each new
                // carrier and each chunk of a recording; and others to create a class loader and to
                // open a jar, as
                // attaching
                // does
                boolean openers =
                        monitor.startsWith("jdk.internal.ref.")
                                || innermost(event).equals("java.lang.ClassLoader$ParallelLoaders")
                                || innermost(event).equals("java.util.zip.ZipFile$Source");
                // the lock of a class that is being initialized, one of the JDK's that both use: of
                // the agent's the
                // application has none
                boolean first = monitor.equals("[I") || monitor.equals("int[]");
                boolean excepted = (recorders || openers || first) && isShort(event);
                yield (isAgents(owner) && !excepted) || isInside(event);
            }
            // where a new loader first meets the probe, it asks its parents for it, as for any
            // class of java.lang
            case "jdk.ClassLoad" ->
                    isInHook(event)
                            || (isAgents(event.getClass("loadedClass"))
                                    && !event.getClass("loadedClass")
                                            .getName()
                                            .startsWith("java.lang."));
            case "jdk.ClassDefine" -> isAgents(event.getClass("definedClass"));
            default -> isInside(event);
        };
    }

    /**
     * On JDK 21 the thread of an event is often missing if it is a short-lived virtual one; its
     * stack ends with what it was to run.
     */
    private static boolean isByAgent(RecordedEvent event) {
        if (event.getThread() != null && event.getThread().getJavaName() != null) {
            return isAgents(event.getThread());
        }
        return types(event).reversed().stream()
                .filter(
                        type ->
                                !type.startsWith("java.lang.VirtualThread")
                                        && !type.startsWith("jdk.internal.vm."))
                .findFirst()
                .filter(NoWaiting::isAgents)
                .isPresent();
    }

    /**
     * Returns whether it is no longer than a thread may be off its CPU while it has one of the
     * JDK's locks.
     */
    private static boolean isShort(RecordedEvent event) {
        return event.getDuration().compareTo(MAX_EXCEPTED) < 0;
    }

    /**
     * A thread that begins a recording notifies its listeners, the agent's {@code jfr-events} among
     * them.
     */
    private static boolean isByRecorder(RecordedEvent event) {
        return types(event).contains("jdk.jfr.internal.PlatformRecording");
    }

    private static boolean isInHook(RecordedEvent event) {
        return types(event).stream().anyMatch(type -> type.startsWith("java.lang.VtAgent"));
    }

    /** Attaching loads classes of the agent on the JVM's own thread for that. */
    private static boolean isAgents(RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        return name != null && (name.startsWith("vt-agent") || name.equals("Attach Listener"));
    }

    private static boolean isAgents(RecordedClass type) {
        return isAgents(type.getName());
    }

    private static boolean isAgents(String type) {
        return (type.startsWith("io.vtagent.") && !type.startsWith("io.vtagent.it."))
                || type.startsWith("java.lang.VtAgent");
    }

    private static String innermost(RecordedEvent event) {
        return types(event).stream().findFirst().orElse("");
    }

    /** The classes of the frames, the innermost first. */
    private static List<String> types(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        return stack == null
                ? List.of()
                : stack.getFrames().stream()
                        .map(frame -> frame.getMethod().getType().getName())
                        .toList();
    }

    private static boolean isInside(RecordedEvent event) {
        boolean inside = false;
        for (String type : types(event)) {
            if (type.startsWith("io.vtagent.relief.SurplusCarrierParking")) {
                return false; // an idle carrier
            }
            if (SCHEDULERS.stream().anyMatch(type::startsWith)) {
                return false; // relief has asked the scheduler for a carrier, which takes a lock to
                // add one
            }
            inside |= isAgents(type);
        }
        return inside;
    }

    /**
     * Nothing is in progress, the sites add up to the totals, and no more was held than there was.
     */
    private void isAccountedFor(ForkedJvm jvm, double wallSeconds) {
        Metrics metrics =
                jvm.awaitMetrics(
                        now ->
                                now.sum("vthread_pinned_active") == 0
                                        && now.sum("vthread_scheduler_queued") == 0);
        // sampled pins come late, perhaps between the one figure and the other
        await("the sites that add up to the totals")
                .atMost(Duration.ofSeconds(90))
                .until(() -> isAtSites(jvm.endpoint().report()));
        assertThat(metrics.pins("kind", "park")).isPositive();
        assertThat(metrics.heldSeconds()).isLessThanOrEqualTo(MAX_CARRIERS * wallSeconds);
        assertThat(areSensorsUp(metrics)).as("sensors are up").isTrue();
    }

    private static boolean isAtSites(Json report) {
        double count = report.get("rare").get("count").number();
        for (Json site : report.get("sites").list()) {
            count += site.get("count").number();
        }
        return count == report.get("count").number();
    }

    private static boolean areSensorsUp(Metrics metrics) {
        return metrics.sum("vthread_agent_sensor_up")
                == metrics.all("vthread_agent_sensor_up").count();
    }
}
