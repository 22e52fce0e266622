package io.vtagent.demo;

import java.util.List;
import java.util.stream.Collectors;

/** The cases, in the order in which the demo lists and runs them. */
public final class Catalogue {

    public static final List<DemoCase> CASES = List.of(
            new ArticleCacheDemo(), //
            new ConnectionPoolDemo(),
            new HttpRefreshDemo(),
            new MetricsMapDemo(),
            new MonitorsDemo(),
            new ReliefDemo(),
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

    /** The two that need no explanation, for whoever has a minute. */
    public static final List<DemoCase> FIRST = CASES.subList(0, 2);

    private Catalogue() {}

    public static DemoCase caseNamed(String name) {
        return CASES.stream()
                .filter(demoCase -> demoCase.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown case \"%s\"; expected one of %s"
                        .formatted(name, CASES.stream().map(DemoCase::name).collect(Collectors.joining(", ")))));
    }

    public static Variant variantOf(DemoCase demoCase, String name) {
        return demoCase.variants().stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown variant \"%s\" of %s; expected one of %s"
                        .formatted(
                                name,
                                demoCase.name(),
                                demoCase.variants().stream().map(Variant::name).collect(Collectors.joining(", ")))));
    }
}
