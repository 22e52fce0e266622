package io.vtagent.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.UsageException;
import io.vtagent.demo.model.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CatalogueTest {

    private static final List<DemoCase> CASES = Catalogue.CASES;

    @Test
    void everyCaseIsInTheCatalogue() {
        List<String> cases =
                new ClassFileImporter()
                        .importPackages(Catalogue.class.getPackageName()).stream()
                                .filter(
                                        type ->
                                                type.isAssignableTo(DemoCase.class)
                                                        && !type.isInterface())
                                .map(JavaClass::getName)
                                .toList();

        assertThat(cases).hasSizeGreaterThan(1);
        assertThat(CASES)
                .map(demoCase -> demoCase.getClass().getName())
                .containsExactlyInAnyOrderElementsOf(cases);
    }

    @Test
    void everyCaseHasAFolderOfItsOwnThatIsNamedAfterIt() {
        assertThat(CASES)
                .allSatisfy(
                        demoCase ->
                                assertThat(demoCase.getClass().getPackageName())
                                        .startsWith(
                                                Catalogue.class.getPackageName()
                                                        + '.'
                                                        + demoCase.name().replace("-", "")))
                .map(demoCase -> demoCase.getClass().getPackageName())
                .doesNotHaveDuplicates();
    }

    @Test
    void everyCaseHasANameOfItsOwn() {
        assertThat(CASES)
                .map(DemoCase::name)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z-]+"));
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
    void everyCaseHasTheClaimsOfTheArticlesAndTheResultHere(DemoCase demoCase) {
        assertThat(demoCase.shows()).endsWith(".");
        assertThat(demoCase.claims()).isNotEmpty().allMatch(claim -> claim.says().endsWith("."));
        assertThat(demoCase.comparison()).endsWith(".");
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void theFiguresOfTheArticlesAreThoseOfVariants(DemoCase demoCase) {
        assertThat(demoCase.variants())
                .map(Variant::name)
                .containsAll(
                        demoCase.claims().stream()
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
            assertThat(quick.latencyMillis())
                    .isPositive()
                    .isLessThanOrEqualTo(full.latencyMillis());
        }
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void noSizeIsBeyondWhatTheCommandLineTakes(DemoCase demoCase) {
        for (Variant variant : demoCase.variants()) {
            for (Size.Scale scale : Size.Scale.values()) {
                Size size = demoCase.size(variant.name(), scale);

                assertThat(size.tasks()).isLessThanOrEqualTo(Settings.MAX_TASKS);
                assertThat(size.latencyMillis()).isLessThanOrEqualTo(Settings.MAX_LATENCY_MILLIS);
            }
        }
    }

    @Test
    void anUnknownCaseIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.caseNamed("cache"))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(
                        "unknown case \"cache\"; expected one of article-cache, connection-pool, ");
    }

    @Test
    void anUnknownVariantIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.variantOf(Catalogue.caseNamed("article-cache"), "slow"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "unknown variant \"slow\" of article-cache; expected one of pinned, fixed");
    }
}
