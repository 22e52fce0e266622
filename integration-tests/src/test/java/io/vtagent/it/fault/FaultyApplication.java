package io.vtagent.it.fault;

import io.vtagent.it.workload.SinglePins;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.RuntimeErrorException;
import javax.management.RuntimeMBeanException;
import jdk.jfr.Recording;

/**
 * {@code CARRIERS}: an application that executes commands, line by line, and answers each with
 * {@code number=answer}. The number is the first word of a line, then comes one of:
 *
 * <ul>
 *   <li>{@code hold HOW TIMES}: holds a carrier that often, and answers with what the application
 *       has noticed of it
 *   <li>{@code fail POINT KIND TIMES}: from now on
 *   <li>{@code sweep HOW KIND NUMBER}: holds once while the point of that number fails; answers
 *       which it was, or {@link #PASSED}
 *   <li>{@code stop}: nothing fails any more; answers how often the point was reached
 *   <li>{@code atOnce}: how many carriers run virtual threads at the same time
 *   <li>{@code lent BEFORE}: how many carriers the scheduler believes to be blocked, though none
 *       is, fewer than none if it believes that more run than do; waits a while until they are as
 *       many as before
 *   <li>{@code reached}: how often the point that is to fail was reached up to now
 *   <li>{@code blocked}: whether a thread has come to the point that blocks, now or later
 *   <li>{@code release}: what is blocked goes on
 *   <li>{@code registry}: adds a registry of its own to Micrometer's global one
 *   <li>{@code registered KIND}: how many pins of that kind that registry has
 *   <li>{@code bean ATTRIBUTE}: what the agent's MXBean answers, or the exception
 *   <li>{@code listen}: keeps single pins by the agent's MXBean, and records its events
 *   <li>{@code uncaught}: how many exceptions came to the application's handler
 * </ul>
 */
public final class FaultyApplication {
    /** The answer if the pin did not reach that many points. */
    public static final String PASSED = "none";

    private static final long ONCE_NANOS = 200_000_000;
    private static final long LIMIT_NANOS = 20_000_000_000L;
    private static final int SAMPLES = 150;
    private static final int PAUSE_MILLIS = 10;
    private static final AtomicInteger UNCAUGHT = new AtomicInteger();
    private static int depth;

    private FaultyApplication() {}

    public static void main(String[] arguments)
            throws IOException, InterruptedException, ReflectiveOperationException, JMException {
        int carriers = Integer.parseInt(arguments[0]);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> {
                    UNCAUGHT.incrementAndGet();
                    System.out.println("uncaught in " + thread + ": " + failure);
                });
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            String[] words = line.split(" ", -1);
            System.out.println(words[0] + "=" + answer(words, carriers));
        }
    }

    private static Object answer(String[] words, int carriers)
            throws InterruptedException, ReflectiveOperationException, JMException {
        return switch (words[1]) {
            case "hold" -> hold(HoldMethod.valueOf(words[2]), Integer.parseInt(words[3]));
            case "fail" -> {
                Faults.at(words[2], Faults.Kind.valueOf(words[3]), Integer.parseInt(words[4]));
                yield "ok";
            }
            case "sweep" ->
                    sweep(
                            HoldMethod.valueOf(words[2]),
                            Faults.Kind.valueOf(words[3]),
                            Integer.parseInt(words[4]));
            case "stop" -> Faults.stop();
            case "blocked" -> Faults.awaitBlocked();
            case "release" -> Faults.release();
            case "reached" -> Faults.reached();
            case "registry" -> OwnRegistry.add();
            case "registered" -> OwnRegistry.pins(words[2]);
            case "bean" -> bean(words[2]);
            case "atOnce" -> atOnce(carriers);
            case "lent" -> lent(Integer.parseInt(words[2]));
            case "listen" -> listen();
            case "uncaught" -> UNCAUGHT.get();
            default -> throw new IllegalArgumentException(words[1]);
        };
    }

    private static String hold(HoldMethod how, int times)
            throws InterruptedException, ReflectiveOperationException {
        for (int i = 0; i < times; i++) {
            Throwable thrown = HoldMethod.once(how, 0, thread -> {});
            if (thrown != null) {
                return reported(thrown);
            }
        }
        return "ok";
    }

    private static String listen() throws InterruptedException, JMException {
        SinglePins.keep();
        Recording recording = new Recording();
        recording.enable("io.vtagent.Pin");
        recording.start();
        return "ok";
    }

    private static String bean(String attribute) throws InterruptedException, JMException {
        try {
            return String.valueOf(
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(SinglePins.bean(), attribute));
        } catch (RuntimeMBeanException | RuntimeErrorException failed) {
            return String.valueOf(failed.getCause());
        }
    }

    private static String sweep(HoldMethod how, Faults.Kind kind, int number)
            throws InterruptedException, ReflectiveOperationException {
        depth++; // a stack that is new, so that it is walked
        Throwable thrown =
                HoldMethod.once(how, depth % 200, thread -> Faults.at(thread, kind, number));
        int reached = Faults.stop();
        return thrown != null ? reported(thrown) : reached < number ? PASSED : Faults.thrownAt();
    }

    private static String reported(Throwable thrown) {
        thrown.printStackTrace();
        return thrown + " by " + thrown.getCause();
    }

    private static int atOnce(int carriers) throws InterruptedException {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        long beganNanos = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4 * carriers; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                                        long elapsedNanos = System.nanoTime() - beganNanos;
                                        while (elapsedNanos
                                                < (most.get() < carriers
                                                        ? LIMIT_NANOS
                                                        : ONCE_NANOS)) {
                                            Thread.onSpinWait();
                                            elapsedNanos = System.nanoTime() - beganNanos;
                                        }
                                        running.decrementAndGet();
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return most.get();
    }

    /**
     * The upper 16 bits of the scheduler's control word count the carriers at work, up to JDK 25 at
     * least. To compensate a blocked one, the scheduler subtracts it, and adds it again when that
     * is over.
     */
    private static int lent(int before) throws InterruptedException, ReflectiveOperationException {
        Field scheduler =
                Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
        Field control = ForkJoinPool.class.getDeclaredField("ctl");
        scheduler.setAccessible(true);
        control.setAccessible(true);
        Object pool = scheduler.get(null);
        int lent = -(short) (control.getLong(pool) >>> 48);
        for (int samples = 0; lent != before && samples < SAMPLES; samples++) {
            Thread.sleep(PAUSE_MILLIS);
            lent = -(short) (control.getLong(pool) >>> 48);
        }
        return lent;
    }
}
