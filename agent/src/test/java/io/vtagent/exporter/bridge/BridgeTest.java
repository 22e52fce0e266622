package io.vtagent.exporter.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.hotspot.Uninitialized;
import io.vtagent.ledger.Ledger;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.metrics.AllMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests with the oldest Micrometer that is supported, and with the newest, each in a class loader
 * of its own.
 */
@ParameterizedClass
@EnumSource
class BridgeTest {
    private static final long EVERY_NANOS = 5_000_000;
    private static final String PARKS =
            "vthread.pinned[tag(app=shop), tag(compensated=false), tag(kind=park),"
                    + " tag(reason=monitor)]";
    private static final String HELD = " Held carrier time of ended pins";

    @Parameter Version version = Version.OLDEST;

    enum Version {
        OLDEST,
        NEWEST
    }

    private final Ledger ledger =
            new Ledger(true, Long.MAX_VALUE, new FramesOfInterest(1), 1, Buckets.SINGLE);
    private final AtomicLong value = new AtomicLong(1);
    private @Nullable Bridge bridge = new Bridge(this::figures, EVERY_NANOS);

    private CachedMeterRegistry figures() {
        PinKey key = new PinKey(PinKind.PARK, PinReason.MONITOR, false);
        return new CachedMeterRegistry(
                Map.of("app", "shop"),
                new AllMeters(
                        List.of(new PinMeters(ledger, List.of(key), false), new Others(value))));
    }

    @AfterEach
    void close() {
        if (bridge != null) {
            bridge.close();
        }
    }

    /** One meter of each kind, all with the same number. */
    private record Others(AtomicLong value) implements AgentMeterBinder {
        @Override
        public void bindTo(MeterRegistry registry) {
            Gauge.builder("a.gauge", value, AtomicLong::get)
                    .description("G")
                    .baseUnit("seconds")
                    .register(registry);
            FunctionCounter.builder("a.counter", value, AtomicLong::get)
                    .description("C")
                    .tag("kind", "park")
                    .register(registry);
            FunctionTimer.builder(
                            "a.timer",
                            value,
                            AtomicLong::get,
                            AtomicLong::get,
                            TimeUnit.NANOSECONDS)
                    .description("T")
                    .register(registry);
        }
    }

    private static Map<String, Double> expected(
            double parks, double seconds, double longest, double others) {
        return new TreeMap<>(
                Map.of(
                        PARKS + " seconds COUNT" + HELD,
                        parks,
                        PARKS + " seconds TOTAL_TIME" + HELD,
                        seconds,
                        PARKS + " seconds MAX" + HELD,
                        longest,
                        "vthread.agent.pins.unattributed[tag(app=shop)] null COUNT Pins whose"
                                + " stack was not read",
                        parks,
                        "a.gauge[tag(app=shop)] seconds VALUE G",
                        others,
                        "a.counter[tag(app=shop), tag(kind=park)] null COUNT C",
                        others,
                        "a.timer[tag(app=shop)] seconds COUNT T",
                        others,
                        "a.timer[tag(app=shop)] seconds TOTAL_TIME T",
                        others / 1e9));
    }

    @Test
    void eachMeterIsThereWithItsTagsItsUnitAndItsValue() {
        Copy copy = new Copy();
        copy.ask("add", "");
        park(3_000_000_000L);
        bridge().add(copy.metrics());

        awaitValues(copy, 0, expected(1, 3, 3, 1));
        park(1_000_000_000L);
        value.set(7);
        awaitValues(copy, 0, expected(2, 4, 3, 7));
    }

    @Test
    void aRegistryThatIsAddedLaterGetsWhatCameBefore() {
        Copy copy = new Copy();
        copy.ask("add", "");
        park(3_000_000_000L);
        bridge().add(copy.metrics());
        awaitValues(copy, 0, expected(1, 3, 3, 1));

        copy.ask("add", "");
        awaitValues(copy, 1, expected(1, 3, 3, 1));
        park(1_000_000_000L);
        awaitValues(copy, 1, expected(2, 4, 3, 1));
        awaitValues(copy, 0, expected(2, 4, 3, 1));
    }

    @Test
    void aRegistryThatTheApplicationHasEmptiedIsFilledAgain() {
        Copy copy = new Copy();
        copy.ask("add", "");
        park(3_000_000_000L);
        bridge().add(copy.metrics());
        awaitValues(copy, 0, expected(1, 3, 3, 1));

        copy.ask("clear", "");
        awaitValues(copy, 0, expected(1, 3, 3, 1));
    }

    @Test
    void whatAFilterDeniesOrThrowsAtIsMissingAndNothingElse() {
        Copy throwing = new Copy();
        Copy denying = new Copy();
        throwing.ask("add throwing", "a.counter");
        denying.ask("add denying", "vthread");
        park(3_000_000_000L);
        bridge().add(throwing.metrics());
        bridge().add(denying.metrics());

        Map<String, Double> expected = expected(1, 3, 3, 1);
        expected.keySet().removeIf(name -> name.startsWith("a.counter"));
        awaitValues(throwing, 0, expected);
        expected = expected(1, 3, 3, 1);
        expected.keySet().removeIf(name -> name.startsWith("vthread"));
        awaitValues(denying, 0, expected);
    }

    @Test
    void oneCopyThatHangsDoesNotStopTheOthers() {
        Copy hanging = new Copy();
        Copy other = new Copy();
        hanging.ask("add hanging", "a.gauge");
        other.ask("add", "");
        park(3_000_000_000L);
        bridge().add(hanging.metrics());
        bridge().add(other.metrics());

        awaitValues(other, 0, expected(1, 3, 3, 1));
        hanging.ask("release", "");
        awaitValues(hanging, 0, expected(1, 3, 3, 1));
    }

    @Test
    void aCopyThatIsFoundTwiceIsFilledOnce() {
        Copy copy = new Copy();
        copy.ask("add", "");
        park(3_000_000_000L);
        bridge().add(copy.metrics());
        bridge().add(copy.metrics());
        assertThat(bridge().served()).isEqualTo(1);

        awaitValues(copy, 0, expected(1, 3, 3, 1));
    }

    @Test
    void whatTheApplicationHasNotInitializedIsLeftAlone() {
        Copy idle = new Copy();
        Copy other = new Copy();
        other.ask("add", "");
        bridge().add(idle.metrics());
        bridge().add(other.metrics());

        awaitValues(other, 0, expected(0, 0, 0, 1));
        assertThat(Uninitialized.isInitialized(idle.metrics())).isFalse();
        idle.ask("add", "");
        awaitValues(idle, 0, expected(0, 0, 0, 1));
    }

    @Test
    void aWebApplicationThatGoesIsLetGoWhateverItsCodeLeavesOnOurThread() {
        Copy copy = new Copy();
        copy.ask("add littering", "a.counter");
        bridge().add(copy.metrics());
        awaitValues(copy, 0, expected(0, 0, 0, 1));
        assertThat(copy.ask("own loader", "")).isEqualTo(true);

        WeakReference<ClassLoader> loader = new WeakReference<>(copy.loader);
        copy.forget();
        await().until(
                        () -> {
                            System.gc();
                            return loader.get() == null;
                        });
        await().until(
                        () -> {
                            bridge().update();
                            return bridge().served() == 0;
                        });
    }

    @Test
    void whatCannotBeTakenOutForWantOfMemoryIsTakenOutALittleLater() {
        Copy copy = new Copy();
        copy.ask("add", "");
        copy.ask("fail to remove", "2");
        WeakReference<CachedMeterRegistry> unused = fillAndClose(copy);

        assertThat(copy.ask("global", "")).isEqualTo(0);
    }

    @Test
    void whenTheAgentIsTakenOutNothingOfItStays() {
        Copy copy = new Copy();
        copy.ask("add", "");
        WeakReference<CachedMeterRegistry> figures = fillAndClose(copy);

        assertThat(copy.ask("global", "")).isEqualTo(0);
        assertThat(copy.values(0)).isEmpty();
        await().until(
                        () -> {
                            System.gc();
                            return figures.get() == null;
                        });
        assertThat(copy.metrics()).as("is there").isNotNull();
    }

    private WeakReference<CachedMeterRegistry> fillAndClose(Copy copy) {
        CachedMeterRegistry figures = figures();
        WeakReference<CachedMeterRegistry> reference = new WeakReference<>(figures);
        CachedMeterRegistry[] made = {figures};
        bridge = new Bridge(() -> made[0], EVERY_NANOS);
        bridge.add(copy.metrics());
        awaitValues(copy, 0, expected(0, 0, 0, 1));
        bridge.close();
        bridge = null;
        made[0] = null;
        return reference;
    }

    private void park(long nanos) {
        ledger.add(PinKind.PARK, PinReason.MONITOR, nanos, () -> null);
    }

    private Bridge bridge() {
        Bridge open = bridge;
        if (open == null) {
            throw new IllegalStateException();
        }
        return open;
    }

    private void awaitValues(Copy copy, int registry, Map<String, Double> expected) {
        await().untilAsserted(
                        () -> {
                            ledger.totals();
                            bridge().update();
                            assertThat(copy.values(registry)).isEqualTo(expected);
                        });
    }

    /** A class loader with a Micrometer in it. */
    private final class Copy {
        private @Nullable ClassLoader loader;
        private @Nullable Class<?> metrics;
        private @Nullable BiFunction<String, String, Object> application;

        Copy() {
            try {
                loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
                metrics = Class.forName("io.micrometer.core.instrument.Metrics", false, loader);
            } catch (IOException | ClassNotFoundException missing) {
                throw new IllegalStateException(missing);
            }
        }

        private URL[] classPath() throws IOException {
            List<URL> urls = new ArrayList<>();
            urls.add(
                    Path.of(
                                    ApplicationWithMicrometer.class
                                            .getProtectionDomain()
                                            .getCodeSource()
                                            .getLocation()
                                            .getPath())
                            .toUri()
                            .toURL());
            if (version == Version.OLDEST) {
                try (Stream<Path> jars = Files.list(Path.of("target", "micrometer-oldest"))) {
                    jars.forEach(jar -> urls.add(url(jar)));
                }
            } else {
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(
                                entry ->
                                        entry.matches(
                                                ".*(micrometer-(core|commons|observation)|HdrHistogram|LatencyUtils|jspecify)-.*"))
                        .forEach(entry -> urls.add(url(Path.of(entry))));
            }
            return urls.toArray(new URL[0]);
        }

        private static URL url(Path file) {
            try {
                return file.toUri().toURL();
            } catch (MalformedURLException impossible) {
                throw new AssertionError(impossible);
            }
        }

        Class<?> metrics() {
            Class<?> known = metrics;
            if (known == null) {
                throw new IllegalStateException();
            }
            return known;
        }

        @SuppressWarnings("unchecked")
        Object ask(String command, String argument) {
            try {
                if (application == null) {
                    application =
                            Class.forName(ApplicationWithMicrometer.class.getName(), true, loader)
                                    .asSubclass(BiFunction.class)
                                    .getConstructor()
                                    .newInstance();
                }
                return application.apply(command, argument);
            } catch (ReflectiveOperationException missing) {
                throw new IllegalStateException(missing);
            }
        }

        @SuppressWarnings("unchecked")
        Map<String, Double> values(int registry) {
            return (Map<String, Double>) ask("values", Integer.toString(registry));
        }

        void forget() {
            loader = null;
            metrics = null;
            application = null;
        }
    }
}
