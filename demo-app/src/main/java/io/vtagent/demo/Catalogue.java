package io.vtagent.demo;

import io.vtagent.demo.articlecache.ArticleCacheDemo;
import io.vtagent.demo.blockingstyle.BlockingStyleDemo;
import io.vtagent.demo.carriers.CarriersDemo;
import io.vtagent.demo.compute.ComputeDemo;
import io.vtagent.demo.connectionpool.ConnectionPoolDemo;
import io.vtagent.demo.echo.EchoDemo;
import io.vtagent.demo.executors.ExecutorsDemo;
import io.vtagent.demo.fileio.FileIoDemo;
import io.vtagent.demo.finding.FindingDemo;
import io.vtagent.demo.httprefresh.HttpRefreshDemo;
import io.vtagent.demo.manythreads.ManyThreadsDemo;
import io.vtagent.demo.metricsmap.MetricsMapDemo;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.UsageException;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.monitors.MonitorsDemo;
import io.vtagent.demo.mount.MountDemo;
import io.vtagent.demo.nativeframes.NativeDemo;
import io.vtagent.demo.relief.ReliefDemo;
import io.vtagent.demo.semaphore.SemaphoreDemo;
import io.vtagent.demo.threadlocals.ThreadLocalsDemo;
import io.vtagent.demo.web.WebDemo;
import java.util.List;
import java.util.stream.Collectors;

/** The cases, in the order in which the demo lists and runs them. */
public final class Catalogue {

    private static final DemoCase ARTICLE_CACHE = new ArticleCacheDemo();
    private static final DemoCase CONNECTION_POOL = new ConnectionPoolDemo();

    public static final List<DemoCase> CASES =
            List.of(
                    ARTICLE_CACHE,
                    CONNECTION_POOL,
                    new HttpRefreshDemo(),
                    new MetricsMapDemo(),
                    new MonitorsDemo(),
                    new ReliefDemo(ARTICLE_CACHE, CONNECTION_POOL),
                    new MountDemo(),
                    new CarriersDemo(),
                    new NativeDemo(),
                    new FileIoDemo(),
                    new FindingDemo(),
                    new EchoDemo(),
                    new ManyThreadsDemo(),
                    new ExecutorsDemo(),
                    new ComputeDemo(),
                    new WebDemo(),
                    new SemaphoreDemo(),
                    new ThreadLocalsDemo(),
                    new BlockingStyleDemo());

    /** The two cases that need no explanation, for a quick start. */
    public static final List<DemoCase> FIRST = List.of(ARTICLE_CACHE, CONNECTION_POOL);

    private Catalogue() {}

    public static DemoCase caseNamed(String name) {
        return CASES.stream()
                .filter(demoCase -> demoCase.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown case \"%s\"; expected one of %s"
                                                .formatted(
                                                        name,
                                                        CASES.stream()
                                                                .map(DemoCase::name)
                                                                .collect(
                                                                        Collectors.joining(
                                                                                ", ")))));
    }

    public static Variant variantOf(DemoCase demoCase, String name) {
        return demoCase.variants().stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "unknown variant \"%s\" of %s; expected one of %s"
                                                .formatted(
                                                        name,
                                                        demoCase.name(),
                                                        demoCase.variants().stream()
                                                                .map(Variant::name)
                                                                .collect(
                                                                        Collectors.joining(
                                                                                ", ")))));
    }
}
