package io.vtagent.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CatalogueTest {

    private static final List<DemoCase> CASES = Catalogue.CASES;

    @Test
    void everyCaseIsInTheCatalogue() throws Exception {
        File folder = new File(Catalogue.class.getResource("Catalogue.class").toURI()).getParentFile();
        List<? extends Class<?>> cases = Stream.of(Objects.requireNonNull(folder.list()))
                .filter(file -> file.endsWith(".class"))
                .map(file -> classNamed(DemoCase.class.getPackageName() + '.' + file.replace(".class", "")))
                .filter(type -> DemoCase.class.isAssignableFrom(type) && !type.isInterface())
                .toList();

        assertThat(cases).hasSizeGreaterThan(1);
        assertThat(CASES).map(Object::getClass).containsExactlyInAnyOrderElementsOf(cases);
    }

    @Test
    void everyCaseHasANameOfItsOwn() {
        assertThat(CASES).map(DemoCase::name).doesNotHaveDuplicates().allMatch(name -> name.matches("[a-z-]+"));
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void everyVariantHasANameOfItsOwnThatNeedsNoQuotesInAShell(DemoCase demoCase) {
        assertThat(demoCase.variants())
                .map(Variant::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9-]+"));
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void everyCaseSaysWhatTheArticlesSayAndWhatComesOutHere(DemoCase demoCase) {
        assertThat(demoCase.shows()).endsWith(".");
        assertThat(demoCase.claims())
                .isNotEmpty()
                .allMatch(claim -> claim.says().endsWith("."));
        assertThat(demoCase.comparison()).endsWith(".");
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void theFiguresOfTheArticlesAreThoseOfVariants(DemoCase demoCase) {
        assertThat(demoCase.variants())
                .map(Variant::name)
                .containsAll(demoCase.claims().stream()
                        .flatMap(claim -> claim.figures().keySet().stream())
                        .toList());
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void noCaseIsBiggerInAHurryThanInTheArticlesSize(DemoCase demoCase) {
        for (Variant variant : demoCase.variants()) {
            Size quick = demoCase.size(variant.name(), Size.Scale.QUICK);
            Size full = demoCase.size(variant.name(), Size.Scale.FULL);

            assertThat(quick.tasks()).isPositive().isLessThanOrEqualTo(full.tasks());
            assertThat(quick.latencyMillis()).isPositive().isLessThanOrEqualTo(full.latencyMillis());
        }
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void noSizeIsBeyondWhatTheCommandLineTakes(DemoCase demoCase) {
        for (Variant variant : demoCase.variants()) {
            for (Size.Scale scale : Size.Scale.values()) {
                Size size = demoCase.size(variant.name(), scale);

                assertThat(size.tasks()).isLessThanOrEqualTo(Settings.MOST_TASKS);
                assertThat(size.latencyMillis()).isLessThanOrEqualTo(Settings.MOST_LATENCY_MILLIS);
            }
        }
    }

    @Test
    void anUnknownCaseIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.caseNamed("cache"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("unknown case \"cache\"; expected one of article-cache, connection-pool, ");
    }

    @Test
    void anUnknownVariantIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.variantOf(Catalogue.caseNamed("article-cache"), "slow"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown variant \"slow\" of article-cache; expected one of pinned, fixed");
    }

    private static Class<?> classNamed(String name) {
        try {
            return Class.forName(name, false, CatalogueTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
