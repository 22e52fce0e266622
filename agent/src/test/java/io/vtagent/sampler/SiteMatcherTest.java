package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SiteMatcherTest {
    private static final FramesOfInterest WANTED = new FramesOfInterest(6);
    private static final StackTraceElement PARK = ofJdk("java.lang.VirtualThread", "park", 10);
    private static final StackTraceElement NATIVE_PARK =
            ofJdk("jdk.internal.misc.Unsafe", "park", -2);
    private static final StackTraceElement PARK_LATER =
            ofJdk("java.lang.VirtualThread", "park", 20);
    private static final StackTraceElement INVOKE = ofJdk("java.lang.reflect.Method", "invoke", 30);
    private static final StackTraceElement RUN = ofJdk("java.lang.VirtualThread", "run", 40);
    private static final StackTraceElement HOLDER =
            new StackTraceElement("a.Cache", "get", "Cache.java", 1);
    private static final StackTraceElement CALLER =
            new StackTraceElement("a.Main", "main", "Main.java", 2);

    private final Ledger ledger = new Ledger(true, 0, WANTED, 10, Buckets.SINGLE);
    private final SiteMatcher known = new SiteMatcher(ledger);

    @Test
    void aStackIsTheSameHoweverItBlocksAndBegins() {
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER);
        assertThat(siteOf(NATIVE_PARK, PARK_LATER, HOLDER, CALLER, RUN)).isEqualTo("a.Cache.get:1");
    }

    @Test
    void itIsAnotherOneWithAnotherCallerOrKind() {
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER);
        assertThat(siteOf(PARK, HOLDER, RUN)).isNull();
        assertThat(siteOf(PARK, HOLDER, HOLDER, CALLER)).isNull();
        assertThat(siteOf(PARK, RUN)).isNull();
        assertThat(known.siteOf(PinKind.WAIT, List.of(PARK, HOLDER, CALLER))).isNull();
    }

    @Test
    void framesOfReflectionMakeNoDifference() {
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER);
        assertThat(siteOf(PARK, HOLDER, INVOKE, CALLER)).isEqualTo("a.Cache.get:1");
    }

    @Test
    void twoSitesWithTheSameFramesAreNotMatched() {
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER);
        know("a.Main.main:2", 2, PARK, HOLDER, CALLER);
        assertThat(siteOf(PARK, HOLDER, CALLER)).isNull();
    }

    @Test
    void aHolderThatIsNotAmongTheFramesIsNotRecognised() {
        know("a.Main.main:99", -1, PARK, HOLDER, CALLER);
        assertThat(siteOf(PARK, HOLDER, CALLER)).isNull();
    }

    @Test
    void ofADeepStackAsManyFramesAreComparedAsAreKept() {
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER, CALLER, CALLER, CALLER);
        assertThat(siteOf(NATIVE_PARK, PARK_LATER, HOLDER, CALLER, CALLER, CALLER, CALLER, CALLER))
                .isEqualTo("a.Cache.get:1");
        assertThat(siteOf(NATIVE_PARK, PARK_LATER, HOLDER, CALLER, CALLER)).isNull();
    }

    /**
     * With the number of sites, the work for one pin does not grow: a stack that begins otherwise
     * is not compared.
     */
    @Test
    void sitesWhoseFramesBeginOtherwiseMakeNoDifference() {
        for (int line = 10; line < 15; line++) {
            know(
                    "a.Main.main:" + line,
                    1,
                    PARK,
                    new StackTraceElement("a.Main", "main", "Main.java", line),
                    CALLER);
        }
        know("a.Cache.get:1", 1, PARK, HOLDER, CALLER);
        assertThat(siteOf(PARK, HOLDER, CALLER)).isEqualTo("a.Cache.get:1");
    }

    private void know(String holder, int holderIndex, StackTraceElement... frames) {
        PinnedStack stack =
                new PinnedStack(
                        Stream.of(frames).map(StackTraceElement::toString).toList(),
                        holderIndex,
                        holder,
                        PinnedStack.Cause.MONITOR,
                        "a.Cache",
                        "java.lang.Thread.sleep",
                        null,
                        null,
                        Map.of());
        ledger.add(PinKind.PARK, PinReason.MONITOR, 1, () -> stack);
        known.refresh();
    }

    private @Nullable String siteOf(StackTraceElement... frames) {
        Site site = known.siteOf(PinKind.PARK, List.of(frames));
        return site == null ? null : site.key().site();
    }

    private static StackTraceElement ofJdk(String type, String method, int line) {
        return new StackTraceElement(null, "java.base", null, type, method, type + ".java", line);
    }
}
