package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.OnVirtualThread;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.StackFingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AttributionTest {
    private static final @Nullable Object NO_MONITOR = null;

    private final Attribution attribution = new Attribution(100, new FramesOfInterest(8));

    /** Only stacks of virtual threads have one. */
    @BeforeAll
    static void fingerprintsAreProved() {
        OnVirtualThread.run(
                () -> {
                    StackFingerprint.prove();
                    assertThat(StackFingerprint.ofCurrentThread())
                            .isNotEqualTo(StackFingerprint.NONE);
                });
    }

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
    void onAVirtualThreadAStackIsWalkedOnce() {
        List<Attributed> found = attributeThrice(attribution, PinKind.PARK);

        assertThat(found).allSatisfy(each -> assertThat(each).isSameAs(found.get(0)));
        assertThat(attribution.sites()).containsExactly(found.get(0).site());
    }

    @Test
    void whereNoSiteIsLeftTheStacksOfTheOthersAreWalkedOnceToo() {
        Attribution one = new Attribution(1, new FramesOfInterest(8));
        List<Attributed> only = attributeThrice(one, PinKind.PARK);
        List<Attributed> others = attributeThrice(one, PinKind.WAIT);

        assertThat(others).allSatisfy(each -> assertThat(each).isSameAs(others.get(0)));
        assertThat(others.get(0).site().key()).isEqualTo(PinSite.other(PinKind.WAIT));
        assertThat(only.get(0).site().key().isForMany()).isFalse();
    }

    private static List<Attributed> attributeThrice(Attribution attribution, PinKind kind) {
        List<Attributed> found = new ArrayList<>();
        OnVirtualThread.run(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        found.add(attribution.attribute(kind, PinReason.NONE, NO_MONITOR));
                    }
                });
        return found;
    }

    @Test
    void stacksThatShareAPlaceInTheMemoryAreNotMistakenForEachOther() {
        List<Site> found = new ArrayList<>();
        OnVirtualThread.run(() -> descend(300, found)); // some 1,800, in a memory of 2,048
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
