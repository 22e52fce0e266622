package io.vtagent.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The entries of two reports, in pairs. An entry is paired with the one of the same name, or else
 * with one in the same method if each report has only one there.
 *
 * @param ambiguous the number of new entries that may be gone ones on another line, but cannot be
 *     paired because there are several in their method
 */
record Pairs<T>(List<Pair<T>> pairs, int ambiguous) {
    /**
     * An entry in two reports.
     *
     * @param before null if the entry is new
     * @param after null if the entry is gone
     */
    record Pair<T>(@Nullable T before, @Nullable T after) {}

    /**
     * Pairs the entries of two reports.
     *
     * @param name returns what makes two entries the same
     * @param method returns that without lines
     */
    static <T, N> Pairs<T> of(
            List<T> before, List<T> after, Function<T, N> name, Function<T, N> method) {
        List<Pair<T>> pairs = new ArrayList<>();
        Map<N, List<T>> old = by(name, before);
        List<T> unknown = new ArrayList<>();
        for (T entry : after) {
            List<T> same = old.remove(name.apply(entry));
            if (same == null) {
                unknown.add(entry);
            } else {
                pairs.add(new Pair<>(same.getFirst(), entry));
            }
        }
        List<T> rest = old.values().stream().flatMap(List::stream).toList();
        int ambiguous = pairByMethod(by(method, rest), by(method, unknown), pairs);
        return new Pairs<>(pairs, ambiguous);
    }

    private static <T, N> int pairByMethod(
            Map<N, List<T>> old, Map<N, List<T>> unknown, List<Pair<T>> pairs) {
        int ambiguous = 0;
        for (Map.Entry<N, List<T>> inMethod : unknown.entrySet()) {
            List<T> candidates = old.getOrDefault(inMethod.getKey(), List.of());
            if (candidates.size() == 1 && inMethod.getValue().size() == 1) {
                pairs.add(new Pair<>(candidates.getFirst(), inMethod.getValue().getFirst()));
                old.remove(inMethod.getKey());
                continue;
            }
            inMethod.getValue().forEach(entry -> pairs.add(new Pair<>(null, entry)));
            ambiguous += candidates.isEmpty() ? 0 : inMethod.getValue().size();
        }
        old.values().forEach(gone -> gone.forEach(entry -> pairs.add(new Pair<>(entry, null))));
        return ambiguous;
    }

    private static <T, N> Map<N, List<T>> by(Function<T, N> name, Collection<T> entries) {
        Map<N, List<T>> byName = new LinkedHashMap<>();
        for (T entry : entries) {
            byName.computeIfAbsent(name.apply(entry), first -> new ArrayList<>()).add(entry);
        }
        return byName;
    }
}
