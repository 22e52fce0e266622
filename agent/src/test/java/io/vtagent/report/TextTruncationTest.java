package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTruncationTest {
    private static final String MONITOR =
            "com.acme.Cache.get holds a monitor while java.net.Socket.read blocks. Replace"
                + " synchronized by a ReentrantLock, or call java.net.Socket.read outside of it.";

    @ParameterizedTest
    @CsvSource({
        "com.acme.shop.Cache.get:28, 26, com.acme.shop.Cache.get:28",
        "com.acme.shop.Cache.get:28, 25, c.acme.shop.Cache.get:28",
        "com.acme.shop.Cache.get:28, 22, c.a.shop.Cache.get:28",
        "com.acme.shop.Cache.get:28, 3, c.a.s.Cache.get:28",
        "Cache.get:28, 3, Cache.get:28",
        "com.acme.lower.get:28, 3, c.a.lower.get:28",
        "com.acme.ArticleRepository.load:7, 23, ...Repository.load:7",
        "com.acme.Article$Repository.load:7, 23, ...Repository.load:7",
        "com.acme.Articlelistrepository.load:7, 23, ...istrepository.load:7",
        "(unattributed), 3, (unattributed)",
    })
    void packagesAreCutDownFromTheLeftAsFarAsItTakes(String name, int columns, String expected) {
        assertThat(TextTruncation.name(name, columns)).isEqualTo(expected);
    }

    @Test
    void namesLoseTheirPackages() {
        assertThat(TextTruncation.advice(MONITOR, 200))
                .isEqualTo(
                        "Cache.get holds a monitor while Socket.read blocks. Replace synchronized"
                                + " by a ReentrantLock, or call Socket.read outside of it.");
    }

    @Test
    void whatToDoIsKeptBeforeWhatIsTheMatter() {
        assertThat(TextTruncation.advice(MONITOR, 95))
                .isEqualTo(
                        "Replace synchronized by a ReentrantLock, or call Socket.read outside of"
                                + " it.");
    }

    @Test
    void whatStillDoesNotFitIsCutBetweenWords() {
        assertThat(TextTruncation.advice(MONITOR, 50))
                .isEqualTo("Replace synchronized by a ReentrantLock, or ...")
                .hasSizeLessThanOrEqualTo(50);
        assertThat(TextTruncation.advice("x".repeat(60), 50)).isEqualTo("x".repeat(46) + " ...");
    }
}
