package io.vtagent.bench.program;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pins at many sites, some times for long enough to be attributed, and then again and again for
 * hardly any time. It prints how much of the heap is alive and how large the process was, then how
 * long a scrape takes, and whether that needs a safepoint. Needs {@code
 * --add-exports=java.management/sun.management=ALL-UNNAMED}.
 */
public final class ManySites {
    /** The number of pins after which the usual duration of a site is known. */
    private static final int LONG_PINS_PER_SITE = 4;

    private static final long LONG_NANOS = 2_000_000;

    /** The operating system does not sleep for that. */
    private static final long SHORT_NANOS = 1;

    private static final int SCRAPES = 100;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String SCRAPE = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String TEMPLATE = "SiteTemplate000";
    private static final Path STATUS = Path.of("/proc/self/status");

    private ManySites() {}

    /** Code that pins. */
    interface Place {
        /** Pins {@code times} times, for {@code nanos} each. */
        void pin(int times, long nanos);
    }

    /**
     * @param arguments how many sites, how many pins in all, and the port of the agent's endpoint,
     *     0 for none
     */
    public static void main(String[] arguments)
            throws IOException, ReflectiveOperationException, InterruptedException {
        int sites = Integer.parseInt(arguments[0]);
        int shortPinsPerSite = Integer.parseInt(arguments[1]) / sites - LONG_PINS_PER_SITE;
        List<Thread> threads = new ArrayList<>();
        for (int site = 1; site <= sites; site++) {
            Place place = place(site);
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                place.pin(LONG_PINS_PER_SITE, LONG_NANOS);
                                place.pin(shortPinsPerSite, SHORT_NANOS);
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        printMemory();
        int port = Integer.parseInt(arguments[2]);
        if (port > 0) {
            scrape(port);
        }
    }

    private static void printMemory() throws IOException {
        System.gc();
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.println("liveBytes=" + used);
        if (Files.isReadable(STATUS)) {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmHWM:")) {
                    System.out.println("peakResidentKiB=" + line.replaceAll("[^0-9]", ""));
                }
            }
        }
    }

    private static void scrape(int port) throws IOException, ReflectiveOperationException {
        long beganNanos = System.nanoTime();
        int bytes = bytesOfMetrics(port);
        System.out.println(
                "firstScrapeMillis=" + (System.nanoTime() - beganNanos) / NANOS_PER_MILLI);
        double[] millis = new double[SCRAPES];
        Stops before = Stops.soFar();
        for (int i = 0; i < SCRAPES; i++) {
            beganNanos = System.nanoTime();
            bytes = bytesOfMetrics(port);
            millis[i] = (System.nanoTime() - beganNanos) / NANOS_PER_MILLI;
        }
        Stops after = Stops.soFar();
        System.out.println("stops=" + (after.count - before.count));
        System.out.println("collections=" + (after.collections - before.collections));
        System.out.println("stoppedMillis=" + (after.millis - before.millis));
        Arrays.sort(millis);
        System.out.println("scrapeMillis=" + millis[SCRAPES / 2]);
        System.out.println("longestScrapeMillis=" + millis[SCRAPES - 1]);
        System.out.println("scrapedBytes=" + bytes);
    }

    /** Safepoints, by number and total time; and garbage collections, which need one. */
    private record Stops(long count, long millis, long collections) {
        static Stops soFar() throws ReflectiveOperationException {
            Object bean =
                    Class.forName("sun.management.ManagementFactoryHelper")
                            .getMethod("getHotspotRuntimeMBean")
                            .invoke(null);
            Class<?> type = Class.forName("sun.management.HotspotRuntimeMBean");
            return new Stops(
                    (long) type.getMethod("getSafepointCount").invoke(bean),
                    (long) type.getMethod("getTotalSafepointTime").invoke(bean),
                    ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                            .sum());
        }
    }

    /** By a plain socket: what an HTTP client needs that lives in this JVM is not the agent's. */
    private static int bytesOfMetrics(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(SCRAPE.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readAllBytes().length;
        }
    }

    /**
     * A copy of {@link SiteTemplate000}: its name is as long, so the class file needs no other
     * change.
     */
    private static Place place(int number) throws IOException, ReflectiveOperationException {
        try (InputStream in = ManySites.class.getResourceAsStream(TEMPLATE + ".class")) {
            String name = String.format("SiteTemplate%03d", number);
            String file =
                    new String(in.readAllBytes(), StandardCharsets.ISO_8859_1)
                            .replace(TEMPLATE, name);
            return MethodHandles.lookup()
                    .defineClass(file.getBytes(StandardCharsets.ISO_8859_1))
                    .asSubclass(Place.class)
                    .getDeclaredConstructor()
                    .newInstance();
        }
    }
}
