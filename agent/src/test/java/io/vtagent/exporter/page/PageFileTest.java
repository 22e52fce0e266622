package io.vtagent.exporter.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PageFileTest {
    private static final Pattern LABELLED = Pattern.compile("aria-labelledby=\"([^\"]+)\"");

    /** A screen reader may be faster than the first figures. */
    @ParameterizedTest
    @EnumSource(names = {"INDEX", "DIFF_INDEX"})
    void whateverNamesAPartOfThePageHasATextFromTheBeginning(PageFile index) {
        String page = index.text();
        List<String> names =
                LABELLED.matcher(page).results().map(found -> found.group(1)).distinct().toList();

        assertThat(names)
                .hasSizeGreaterThan(3)
                .allSatisfy(
                        name ->
                                assertThat(page)
                                        .containsPattern("id=\"" + name + "\"[^>]*>\\s*[^\\s<]"));
    }
}
