package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramesOfInterestTest {
    private static final FramesOfInterest WANTED =
            new FramesOfInterest(1, List.of("com.acme", "org.acme.shop"));

    @ParameterizedTest
    @CsvSource({
        "com.acme.Main, true",
        "com.acme.cart.Cart, true",
        "com.acme, true",
        "com.acmeware.Main, false",
        "com.acm, false",
        "org.acme.shop.Main, true",
        "org.acme.Main, false",
        "net.com.acme.Main, false"
    })
    void aPrefixIsFollowedByADotOrTheEnd(String className, boolean own) {
        assertThat(WANTED.isApp(className)).isEqualTo(own);
    }

    @Test
    void withoutPrefixesEverythingIsTheUsersOwn() {
        assertThat(new FramesOfInterest(1).isApp("com.acme.Main")).isTrue();
    }
}
