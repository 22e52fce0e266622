package io.vtagent.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {

    private static final int TASKS = 250;

    static Stream<Arguments> variants() {
        return Catalogue.CASES.stream()
                .flatMap(demoCase -> demoCase.variants().stream().map(variant -> Arguments.of(demoCase, variant)));
    }

    @ParameterizedTest
    @MethodSource("variants")
    void everyVariantRunsAllItsTasks(DemoCase demoCase, String variant) throws Exception {
        Result result = demoCase.run(variant, new Settings(TASKS, 1, ConnectionPoolDemo.IN_MEMORY));

        assertThat(result.caseName()).isEqualTo(demoCase.name());
        assertThat(result.variant()).isEqualTo(variant);
        assertThat(result.tasks()).isEqualTo(TASKS);
        assertThat(result.seconds()).isPositive();
    }

    @Test
    void everyCaseIsInTheCatalogue() {
        assertThat(Catalogue.CASES)
                .map(Object::getClass)
                .containsExactlyInAnyOrder(DemoCase.class.getPermittedSubclasses());
    }

    @Test
    void anUnknownCaseIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.caseNamed("cache"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown case \"cache\"; expected article-cache or connection-pool");
    }

    @Test
    void anUnknownVariantIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> Catalogue.variantOf(Catalogue.caseNamed("article-cache"), "slow"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown variant \"slow\" of article-cache; expected pinned or fixed");
    }
}
