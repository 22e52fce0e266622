package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.reference.JdkCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * {@code mvn -Pjdks -pl integration-tests -am verify} measures the table behind {@code
 * docs/pinning-by-jdk.md}, in a minute for each JDK, and writes it to {@code lab/}.
 */
final class JdksTable {
    private static final Path FILE =
            Path.of(System.getProperty("it.root", ".."), "lab", "pinning-by-jdk.md");

    @Test
    void theAgentSeesWhatEachJdkPins() throws IOException {
        List<JdkCell.Column> columns =
                Jdks.all().stream()
                        .map(jdk -> JdkCell.measure(jdk, List.of(JdkCase.values())))
                        .toList();
        String table = table(columns);
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, table);
        System.out.println(table);

        for (JdkCell.Column column : columns) {
            for (JdkCase each : JdkCase.values()) {
                JdkCell cell = column.cells().get(each.ordinal());
                String what =
                        each.kindAndReason(
                                column.jdk().monitorsPin(),
                                column.jdk().unmountsWaitersForInitializers());
                assertThat(cell.pins())
                        .as("%s on %s pins", each, column.java())
                        .isEqualTo(!what.isEmpty());
                assertThat(cell.error(what))
                        .as("%s on %s is %s, of %s", each, column.java(), what, cell.reported())
                        .isLessThan(0.15);
            }
        }
    }

    private static String table(List<JdkCell.Column> columns) {
        StringBuilder text = new StringBuilder("# Pins by JDK, as `mvn -Pjdks` measured them\n\n");
        text.append("Measured on ").append(LocalDate.now(ZoneOffset.UTC)).append(": ");
        text.append(Runtime.getRuntime().availableProcessors()).append(" processors, ");
        text.append(System.getProperty("os.name")).append(".\n\n| |");
        columns.forEach(column -> text.append(' ').append(column.java()).append(" |"));
        text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        for (JdkCase each : JdkCase.values()) {
            text.append("| ").append(each.title()).append(" |");
            for (JdkCell.Column column : columns) {
                text.append(' ').append(text(column.cells().get(each.ordinal()))).append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String text(JdkCell cell) {
        List<String> parts = new ArrayList<>();
        cell.reported()
                .forEach(
                        (name, seconds) -> {
                            if (seconds > JdkCell.LITTLE * cell.inside()) {
                                parts.add("`" + name.replace(" ", "` `") + "`");
                            }
                        });
        if (!cell.pins()) {
            return parts.isEmpty() ? "–" : "– (" + String.join(", ", parts) + ")";
        }
        return String.join(", ", parts)
                + String.format(Locale.ROOT, " (%.0f %%)", 100 * cell.all() / cell.reference());
    }
}
