package io.vtagent.demo.launch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table whose columns are as wide as their widest cell. */
final class Table {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final Set<Integer> numbers = new HashSet<>();

    Table(String... headings) {
        rows.add(List.of(headings));
    }

    /** Aligns the column that {@code heading} names at its right edge. */
    Table withNumbers(String heading) {
        numbers.add(rows.get(0).indexOf(heading));
        return this;
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    @Override
    public String toString() {
        return rows.stream().map(this::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private String line(List<String> row) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> padded(row.get(column), column))
                .collect(Collectors.joining(GAP))
                .stripTrailing();
    }

    private String padded(String cell, int column) {
        String blanks = " ".repeat(width(column) - cell.length());
        return numbers.contains(column) ? blanks + cell : cell + blanks;
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
