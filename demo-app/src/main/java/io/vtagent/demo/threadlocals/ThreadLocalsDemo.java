package io.vtagent.demo.threadlocals;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Heap;
import io.vtagent.demo.workload.Load;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An object that is expensive to make and that threads must not share, cached in a {@code
 * ThreadLocal}: with a pool there are as many as it has threads, with virtual threads as many as
 * there are tasks. Beside it one that can be shared.
 */
public final class ThreadLocalsDemo implements DemoCase {

    private static final String THREAD_LOCAL = "thread-local";
    private static final String INSTANCES = "instances";
    private static final String PATTERN = "EEEE, d MMMM yyyy HH:mm:ss";

    @Override
    public String name() {
        return "thread-locals";
    }

    @Override
    public String shows() {
        return "A date format cached in a ThreadLocal under 10,000 virtual threads, against one"
                + " that they all share.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "Do not cache expensive objects in thread-locals: each virtual thread makes"
                                + " one of its own, and with very many of them that may take"
                                + " considerable memory."));
    }

    @Override
    public String comparison() {
        return "So it is, on both JDKs: as many instances as tasks. The bytes are those of the heap"
                + " while all threads live, after a collection, so they hold the threads too,"
                + " which is what the shared variant shows.";
    }

    @Override
    public String figure() {
        return INSTANCES;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(THREAD_LOCAL, "a SimpleDateFormat in a ThreadLocal"),
                Variant.of("shared", "one DateTimeFormatter, which is immutable"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(10_000, 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Supplier<Formats> kind =
                variant.equals(THREAD_LOCAL) ? CachedFormats::new : SharedFormat::new;
        Formats others = kind.get();
        Load.warmUp(number -> others.format(Instant.EPOCH));
        Formats formats = kind.get();
        long heapBefore = Heap.usedBytes();
        CountDownLatch formatted = new CountDownLatch(settings.tasks());
        CountDownLatch measured = new CountDownLatch(1);
        Thread tasks =
                Thread.ofPlatform()
                        .start(() -> live(settings.tasks(), formats, formatted, measured));
        formatted.await();
        double mebibytes = (Heap.usedBytes() - heapBefore) / (double) (1 << 20);
        measured.countDown();
        tasks.join();
        return Result.of(INSTANCES, formats.instances())
                .with("MiB with the threads", mebibytes)
                .with("bytes a thread", mebibytes * (1 << 20) / settings.tasks());
    }

    /** The tasks format a date and then stay, as if there were more for them to do. */
    private static void live(
            int tasks, Formats formats, CountDownLatch formatted, CountDownLatch measured) {
        try {
            Load.run(
                    tasks,
                    tasks,
                    number -> {
                        formats.format(Instant.ofEpochSecond(number));
                        formatted.countDown();
                        measured.await();
                    });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Formats {
        String format(Instant instant);

        int instances();
    }

    private static final class CachedFormats implements Formats {

        private final AtomicInteger instances = new AtomicInteger();
        private final ThreadLocal<SimpleDateFormat> cached =
                ThreadLocal.withInitial(
                        () -> {
                            instances.incrementAndGet();
                            return new SimpleDateFormat(PATTERN, Locale.ROOT);
                        });

        @Override
        public String format(Instant instant) {
            return cached.get().format(Date.from(instant));
        }

        @Override
        public int instances() {
            return instances.get();
        }
    }

    private static final class SharedFormat implements Formats {

        private static final DateTimeFormatter SHARED =
                DateTimeFormatter.ofPattern(PATTERN, Locale.ROOT).withZone(ZoneOffset.UTC);

        @Override
        public String format(Instant instant) {
            return SHARED.format(instant);
        }

        @Override
        public int instances() {
            return 1;
        }
    }
}
