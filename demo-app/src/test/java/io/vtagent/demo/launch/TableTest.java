package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void aColumnIsAsWideAsItsWidestCell() {
        Table table = new Table("case", "pins");
        table.row("article-cache", "none");
        table.row("x", "park 50");

        assertThat(table)
                .hasToString(
                        """
                        case           pins
                        article-cache  none
                        x              park 50
                        """);
    }

    @Test
    void numbersEndAtTheRightEdgeOfTheirColumn() {
        Table table = new Table("count", "total", "kind").withNumbers("count").withNumbers("total");
        table.row("7", "10.25 s", "park");
        table.row("7,934", "8.00 s", "wait");

        assertThat(table)
                .hasToString(
                        """
                        count    total  kind
                            7  10.25 s  park
                        7,934   8.00 s  wait
                        """);
    }

    @Test
    void noLineEndsWithBlanks() {
        Table table = new Table("a", "b");
        table.row("1", "wide");
        table.row("1", "");

        assertThat(table.toString().lines()).noneMatch(line -> line.endsWith(" "));
    }
}
