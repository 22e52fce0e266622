package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EndedPinTest {
    private static final Site SITE =
            new Site(new PinSite("A.a:1", "B.b:2", "C.c", PinKind.PARK), PinReason.NATIVE, null);

    @Test
    void withoutItsThreadItIsTheSamePin() {
        assertThat(pin(SITE, Thread.currentThread()).withoutThread()).isEqualTo(pin(SITE, null));
    }

    @Test
    void itCountsAtItsSiteOrAsUnattributed() {
        assertThat(pin(SITE, null).siteKey()).isEqualTo(SITE.key());
        assertThat(pin(null, null).siteKey()).isEqualTo(PinSite.unattributed(PinKind.PARK));
    }

    @Test
    void whereItsThreadHasAContextOneOnlyTakesIt() {
        PinInContext inContext = new PinInContext("span", null);
        assertThat(inContext.context()).isEqualTo("span");
        assertThat(inContext.pin()).isNull();
        inContext.become(pin(SITE, null));
        assertThat(inContext.pin()).isEqualTo(pin(SITE, null));

        assertThat(inContext.isTaken()).isFalse();
        assertThat(inContext.take()).isTrue();
        assertThat(inContext.take()).isFalse();
        assertThat(inContext.isTaken()).isTrue();
    }

    private static EndedPin pin(@Nullable Site site, @Nullable Thread thread) {
        return new EndedPin(PinKind.PARK, PinReason.NATIVE, true, site, 5, 9, thread, 42, true);
    }
}
