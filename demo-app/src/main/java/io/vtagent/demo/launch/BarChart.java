package io.vtagent.demo.launch;

import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Variant;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The variants of a case as bars, one a JDK, with the article's figure as a mark across them. */
final class BarChart {

    private static final int LABELS = 230;
    private static final int BARS = 520;
    private static final int VALUES = 150;
    private static final int BAR_HEIGHT = 14;
    private static final int GAP = 18;
    private static final int TOP = 40;

    /** Beyond this the short bars would not be visible. */
    private static final double MAX_FOR_LINEAR = 40;

    private final DemoCase demoCase;
    private final List<Outcome> outcomes;
    private final List<Variant> variants;
    private final double least;
    private final double most;
    private final boolean logarithmic;

    BarChart(DemoCase demoCase, List<Outcome> outcomes) {
        this.demoCase = demoCase;
        this.outcomes = outcomes;
        variants = demoCase.variants().stream().filter(variant -> !of(variant).isEmpty()).toList();
        double[] positive =
                DoubleStream.concat(
                                outcomes.stream().mapToDouble(this::value),
                                ranges().flatMapToDouble(
                                                range ->
                                                        DoubleStream.of(range.low(), range.high())))
                        .filter(value -> value > 0)
                        .toArray();
        most = DoubleStream.of(positive).max().orElse(1);
        double smallest = DoubleStream.of(positive).min().orElse(1);
        logarithmic = most / smallest > MAX_FOR_LINEAR;
        least = logarithmic ? Math.pow(10, Math.floor(Math.log10(smallest)) - 0.3) : 0;
    }

    private Stream<Claim.Range> ranges() {
        return variants.stream().flatMap(this::ranges);
    }

    private Stream<Claim.Range> ranges(Variant variant) {
        return demoCase.claims().stream()
                .filter(claim -> claim.figures().containsKey(variant.name()))
                .map(claim -> claim.figures().get(variant.name()));
    }

    private List<Outcome> of(Variant variant) {
        return outcomes.stream()
                .filter(outcome -> outcome.run().variant().name().equals(variant.name()))
                .toList();
    }

    private double value(Outcome outcome) {
        return outcome.result().figure(demoCase.figure());
    }

    String svg() {
        StringBuilder svg = new StringBuilder();
        int y = TOP;
        for (Variant variant : variants) {
            y = group(variant, y, svg) + GAP;
        }
        String scale = demoCase.figure() + (logarithmic ? ", on a logarithmic scale" : "");
        String mark = ranges().findAny().isPresent() ? "; the mark is the article's figure" : "";
        return "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n<text class=\"scale\" x=\"%d\" y=\"16\">%s</text>\n%s</svg>\n"
                .formatted(
                        LABELS + BARS + VALUES,
                        y,
                        Html.escaped(scale),
                        LABELS,
                        Html.escaped(scale + mark),
                        svg);
    }

    private int group(Variant variant, int top, StringBuilder svg) {
        List<Outcome> bars = of(variant);
        int height = bars.size() * BAR_HEIGHT;
        svg.append(
                "<text class=\"variant\" x=\"%d\" y=\"%d\">%s</text>\n"
                        .formatted(
                                LABELS - 10, top + height / 2 + 5, Html.escaped(variant.name())));
        int y = top;
        for (Outcome outcome : bars) {
            double width = Math.max(1, x(value(outcome)));
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect class=\"jdk%d\" x=\"%d\" y=\"%d\" width=\"%.1f\""
                                    + " height=\"%d\"/><text class=\"value\" x=\"%.1f\" y=\"%d\">%s"
                                    + " (JDK %d)</text>\n",
                            outcome.run().jdk(),
                            LABELS,
                            y,
                            width,
                            BAR_HEIGHT - 2,
                            LABELS + width + 6,
                            y + BAR_HEIGHT - 4,
                            Quantity.text(value(outcome)),
                            outcome.run().jdk()));
            y += BAR_HEIGHT;
        }
        ranges(variant).forEach(range -> svg.append(mark(range, top, height)));
        return y;
    }

    private String mark(Claim.Range range, int top, int height) {
        double from = x(range.low());
        return String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
                        + "<text class=\"claim\" x=\"%.1f\" y=\"%d\">%s</text>\n",
                range.low() == range.high() ? "article" : "article range",
                LABELS + from - 1.5,
                top - 2,
                Math.max(3, x(range.high()) - from),
                height + 2,
                LABELS + (from + x(range.high())) / 2,
                top - 4,
                Summary.range(range));
    }

    private double x(double value) {
        if (value <= 0) {
            return 0;
        }
        return logarithmic
                ? BARS * Math.log(value / least) / Math.log(most / least)
                : BARS * value / most;
    }
}
