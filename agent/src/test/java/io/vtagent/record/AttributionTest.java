package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttributionTest {
    private static final @Nullable Object NO_MONITOR = null;

    private final Attribution attribution = new Attribution(100, new FramesOfInterest(8));

    @Test
    void theSameStackIsTheSameSite() {
        List<Site> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            found.add(attribution.attribute(PinKind.PARK, PinReason.NONE, NO_MONITOR).site());
        }
        assertThat(found).containsOnly(found.get(0));
        assertThat(attribution.sites()).containsExactly(found.get(0));
    }

    @Test
    void stacksThatShareAPlaceInTheMemoryAreNotMistakenForEachOther() {
        List<Site> found = new ArrayList<>();
        descend(300, found); // some 1,800 of them, in a memory of 2,048
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i).key().kind())
                    .isEqualTo(PinKind.values()[i % PinKind.values().length]);
        }
        assertThat(attribution.sites()).hasSize(PinKind.values().length);
    }

    private void descend(int depth, List<Site> found) {
        for (PinKind kind : PinKind.values()) {
            found.add(attribution.attribute(kind, PinReason.NONE, NO_MONITOR).site());
        }
        if (depth > 0) {
            descend(depth - 1, found);
        }
    }

    @Test
    void aThreadThatIsAboutToEnterAMonitorIsHeldByThat() {
        PinnedStack stack =
                stackOf(
                        attribution
                                .attribute(PinKind.ENTER, PinReason.MONITOR, new Thread())
                                .site());
        assertThat(stack.monitorClass()).isEqualTo("java.lang.Thread");
        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.MONITOR);
        assertThat(stack.holderIndex()).isZero();
    }

    @Test
    void aThreadThatParksIsNot() {
        assertThat(
                        stackOf(
                                        attribution
                                                .attribute(
                                                        PinKind.PARK, PinReason.MONITOR, NO_MONITOR)
                                                .site())
                                .monitorClass())
                .isNull();
    }

    private static PinnedStack stackOf(Site site) {
        return Objects.requireNonNull(site.stack());
    }
}
