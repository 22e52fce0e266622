package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OptionsInDocsTest {
    private static final String HEADING = "| option | default | meaning |";

    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");

    @Test
    void theTableHasTheOptionsThatThereAre() throws IOException {
        List<String> keys = new ArrayList<>();
        for (String row : rows()) {
            keys.addAll(quoted(row.split("\\|", -1)[1]));
        }
        assertThat(keys)
                .containsExactlyElementsOf(Stream.of(Option.values()).map(Option::key).toList());
    }

    @Test
    void theTableHasTheirDefaults() throws IOException {
        for (String row : rows()) {
            String[] cells = row.split("\\|", -1);
            for (String key : quoted(cells[1])) {
                String defaultValue =
                        Stream.of(Option.values())
                                .filter(option -> option.key().equals(key))
                                .map(Option::defaultValue)
                                .findFirst()
                                .orElse("");
                if (!defaultValue.isEmpty()) {
                    assertThat(quoted(cells[2])).containsExactly(defaultValue);
                } else {
                    assertThat(cells[2]).containsAnyOf("none", "all");
                }
            }
        }
    }

    /** Returns the rows of all tables of options, in their order. */
    private static List<String> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(Path.of("..", "docs", "configuration.md"))) {
            if (line.equals(HEADING)) {
                inTable = true;
            } else if (!line.startsWith("|")) {
                inTable = false;
            } else if (inTable && !line.startsWith("|---")) {
                rows.add(line);
            }
        }
        return rows;
    }

    private static List<String> quoted(String cell) {
        List<String> found = new ArrayList<>();
        Matcher matcher = QUOTED.matcher(cell);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}
