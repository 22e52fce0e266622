package io.vtagent.demo.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A claim of an article.
 *
 * @param says in our words
 * @param figures its figures for {@link DemoCase#figure()}, by variant; empty where it gives none
 */
public record Claim(Article article, String says, Map<String, Range> figures) {

    /** A figure, or from where to where it lies. */
    public record Range(double low, double high) {}

    public static Claim of(Article article, String says) {
        return new Claim(article, says, Map.of());
    }

    public Claim with(String variant, double figure) {
        return with(variant, figure, figure);
    }

    public Claim with(String variant, double low, double high) {
        Map<String, Range> more = new LinkedHashMap<>(figures);
        more.put(variant, new Range(low, high));
        return new Claim(article, says, more);
    }
}
