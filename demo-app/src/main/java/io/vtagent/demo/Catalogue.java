package io.vtagent.demo;

import java.util.List;
import java.util.stream.Collectors;

/** The cases, in the order in which the demo runs them. */
public final class Catalogue {

    public static final List<DemoCase> CASES = List.of(
            new ArticleCacheDemo(), //
            new ConnectionPoolDemo());

    private Catalogue() {}

    public static DemoCase caseNamed(String name) {
        return CASES.stream()
                .filter(demoCase -> demoCase.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown case \"%s\"; expected %s"
                        .formatted(name, CASES.stream().map(DemoCase::name).collect(Collectors.joining(" or ")))));
    }

    public static String variantOf(DemoCase demoCase, String variant) {
        if (!demoCase.variants().contains(variant)) {
            throw new UsageException("unknown variant \"%s\" of %s; expected %s"
                    .formatted(variant, demoCase.name(), String.join(" or ", demoCase.variants())));
        }
        return variant;
    }
}
