package io.vtagent.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PageFileTest {
    private static final Pattern LABELLED = Pattern.compile("aria-labelledby=\"([^\"]+)\"");

    /** A screen reader may be faster than the first figures. */
    @Test
    void whateverNamesAPartOfThePageHasATextFromTheBeginning() {
        String page = PageFile.INDEX.text();
        List<String> names =
                LABELLED.matcher(page).results().map(found -> found.group(1)).distinct().toList();

        assertThat(names)
                .hasSizeGreaterThan(5)
                .allSatisfy(
                        name ->
                                assertThat(page)
                                        .containsPattern("id=\"" + name + "\"[^>]*>\\s*[^\\s<]"));
    }
}
