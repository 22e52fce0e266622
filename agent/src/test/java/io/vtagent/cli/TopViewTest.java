package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.cli.Key.Kind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopViewTest {
    private static final PinReport BEFORE =
            Reports.of(10 * SECOND, site("a.B.c:1", 1, SECOND), site("x.Y.z:1", 1, MILLI));
    private static final Interval INTERVAL =
            Interval.between(
                    BEFORE,
                    Reports.of(
                            11 * SECOND,
                            site("a.B.c:1", 1, SECOND),
                            site("a.B.d:1", 9, 100 * MILLI),
                            site("x.Y.z:1", 2, 200 * MILLI)));

    private static TopView after(Object... keys) {
        TopView view = TopView.FIRST;
        for (Object key : keys) {
            view = view.on(key instanceof Kind kind ? Key.of(kind) : Key.of((char) key), INTERVAL);
        }
        return view;
    }

    private static List<String> sites(TopView view) {
        return view.sites(INTERVAL).stream().map(held -> held.site().site()).toList();
    }

    private static String name(@Nullable PinSite site) {
        return site == null ? "none" : site.site();
    }

    @Test
    void theKeySCyclesTheSort() {
        assertThat(sites(after())).as("now").containsExactly("x.Y.z:1", "a.B.d:1", "a.B.c:1");
        assertThat(sites(after('s')))
                .as("waiting")
                .containsExactly("a.B.c:1", "x.Y.z:1", "a.B.d:1");
        assertThat(sites(after('s', 's')))
                .as("held")
                .containsExactly("a.B.c:1", "x.Y.z:1", "a.B.d:1");
        assertThat(sites(after('s', 's', 's')))
                .as("count")
                .containsExactly("a.B.d:1", "x.Y.z:1", "a.B.c:1");
        assertThat(sites(after('s', 's', 's', 's')))
                .as("longest")
                .containsExactly("a.B.c:1", "x.Y.z:1", "a.B.d:1");
        assertThat(after('s', 's', 's', 's', 's').sort()).isEqualTo(Sort.NOW);
    }

    @Test
    void aFilterIsTypedKeptAndForgotten() {
        assertThat(sites(after('/', 'A', '.', 'b'))).containsExactly("a.B.d:1", "a.B.c:1");
        assertThat(sites(after('/', 'q', Kind.BACKSPACE, 'x'))).containsExactly("x.Y.z:1");
        assertThat(after('/', 'x').typing()).isTrue();
        assertThat(after('/', 'x', Kind.ENTER).typing()).isFalse();
        assertThat(sites(after('/', 'x', Kind.ENTER))).containsExactly("x.Y.z:1");
        assertThat(sites(after('/', 'x', Kind.ESCAPE))).hasSize(3);
        assertThat(sites(after('/', 'x', Kind.ENTER, Kind.ESCAPE))).hasSize(3);
        assertThat(after('/', Kind.BACKSPACE).filter()).isEmpty();
        assertThat(sites(after('/', 'S', 'l', 'e', 'e', 'p'))).as("operation").hasSize(3);
        assertThat(sites(after('/', 'w', 'a', 'i', 't'))).as("kind").isEmpty();
    }

    @Test
    void arrowsAndDigitsSelectAndEnterOpens() {
        assertThat(name(after(Kind.ENTER).opened())).isEqualTo("x.Y.z:1");
        assertThat(name(after(Kind.DOWN, Kind.ENTER).opened())).isEqualTo("a.B.d:1");
        assertThat(name(after(Kind.DOWN, Kind.DOWN, Kind.UP, Kind.ENTER).opened()))
                .isEqualTo("a.B.d:1");
        assertThat(name(after('3', Kind.ENTER).opened())).isEqualTo("a.B.c:1");
        assertThat(name(after('9', Kind.ENTER).opened())).isEqualTo("a.B.c:1");
        assertThat(name(after('j', 'j', 'k', Kind.ENTER).opened())).isEqualTo("a.B.d:1");
        assertThat(name(after(Kind.UP, Kind.ENTER).opened())).isEqualTo("x.Y.z:1");
        assertThat(name(after(Kind.PAGE_DOWN, Kind.ENTER).opened())).isEqualTo("a.B.c:1");
        assertThat(name(after(Kind.PAGE_DOWN, Kind.PAGE_UP, Kind.ENTER).opened()))
                .isEqualTo("x.Y.z:1");
    }

    @Test
    void theSelectedSiteStaysSelectedWhereverItGoes() {
        TopView view = after(Kind.DOWN, 's');
        assertThat(view.selectedIndex(view.sites(INTERVAL))).isEqualTo(2);
    }

    @Test
    void nothingOpensWhereThereIsNothing() {
        assertThat(after('/', 'n', 'o', Kind.ENTER, Kind.DOWN, Kind.ENTER).opened()).isNull();
    }

    @Test
    void anOpenSiteScrollsAndCloses() {
        assertThat(after(Kind.ENTER, Kind.DOWN, Kind.DOWN, Kind.UP).scroll()).isEqualTo(1);
        assertThat(after(Kind.ENTER, Kind.UP).scroll()).isZero();
        assertThat(after(Kind.ENTER, Kind.PAGE_DOWN).scrolledAtMost(4).scroll()).isEqualTo(4);
        assertThat(after(Kind.ENTER, Kind.DOWN, Kind.ESCAPE).opened()).isNull();
        assertThat(after(Kind.ENTER, Kind.DOWN, Kind.ESCAPE, Kind.ENTER).scroll()).isZero();
        assertThat(after(Kind.ENTER, Kind.ESCAPE).left()).isFalse();
    }

    @Test
    void pAndTheQuestionMarkSwitch() {
        assertThat(after('p').paused()).isTrue();
        assertThat(after('p', 'p').paused()).isFalse();
        assertThat(after('?').help()).isTrue();
        assertThat(after('?', 'x').help()).isFalse();
    }

    @Test
    void qAndEscapeLeave() {
        assertThat(after('q').left()).isTrue();
        assertThat(after(Kind.ESCAPE).left()).isTrue();
        assertThat(after(Kind.ENTER, 'q').left()).isTrue();
        assertThat(after('?', 'q').left()).isTrue();
        assertThat(after('/', 'q').left()).isFalse();
        assertThat(after('/', 'x', Kind.ENTER, Kind.ESCAPE).left()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void noKeyFailsWhereThereAreNoSites(Kind kind) {
        Interval empty = Interval.of(Reports.of(SECOND));
        assertThat(TopView.FIRST.on(Key.of(kind), empty).opened()).isNull();
        assertThat(TopView.FIRST.on(Key.of('3'), empty).selected()).isNull();
    }
}
