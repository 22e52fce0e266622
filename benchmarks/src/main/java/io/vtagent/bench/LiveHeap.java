package io.vtagent.bench;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pins at more places than the agent keeps by default, then says how much of the heap is alive, and how large the process was. */
public final class LiveHeap {
    private static final int SITES = 250;
    private static final int PINS_PER_SITE = 4;
    private static final String TEMPLATE = "SiteTemplate000";
    private static final Path STATUS = Path.of("/proc/self/status");

    private LiveHeap() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException, InterruptedException {
        for (int site = 1; site <= SITES; site++) {
            Runnable pin = site(site);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < PINS_PER_SITE; i++) {
                threads.add(Thread.startVirtualThread(pin));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
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

    /** A copy of {@link SiteTemplate000}: its name is as long, so the class file needs no other change. */
    private static Runnable site(int number) throws IOException, ReflectiveOperationException {
        try (InputStream in = LiveHeap.class.getResourceAsStream(TEMPLATE + ".class")) {
            String name = String.format("SiteTemplate%03d", number);
            String file = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1).replace(TEMPLATE, name);
            return MethodHandles.lookup()
                    .defineClass(file.getBytes(StandardCharsets.ISO_8859_1))
                    .asSubclass(Runnable.class)
                    .getDeclaredConstructor()
                    .newInstance();
        }
    }
}
