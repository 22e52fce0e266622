package io.vtagent.cli;

import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport.Held;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The user's choices of what {@code top} shows.
 *
 * @param filter a text that a site must have in its name, operation or kind
 * @param typing whether the user is typing the filter
 * @param selected the site that Enter opens; null for the first
 * @param opened the open site; null if none is open
 * @param scroll how many lines the open site is scrolled down
 */
record TopView(
        Sort sort,
        String filter,
        boolean typing,
        @Nullable PinSite selected,
        @Nullable PinSite opened,
        int scroll,
        boolean paused,
        boolean help,
        boolean left) {
    static final TopView FIRST =
            new TopView(Sort.NOW, "", false, null, null, 0, false, false, false);
    private static final int PAGE = 10;

    /** Returns the sites that match the filter, in the chosen order. */
    List<Held> sites(Interval interval) {
        String wanted = filter.toLowerCase(Locale.ROOT);
        return interval.now().sites().stream()
                .filter(
                        held ->
                                (SiteName.of(held.site())
                                                + " "
                                                + held.site().operation()
                                                + " "
                                                + held.site().kind().label())
                                        .toLowerCase(Locale.ROOT)
                                        .contains(wanted))
                .sorted(sort.order(interval))
                .toList();
    }

    /** Returns the index of the selected site in {@code sites}; 0 if it is not there. */
    int selectedIndex(List<Held> sites) {
        for (int i = 0; i < sites.size(); i++) {
            if (sites.get(i).site().equals(selected)) {
                return i;
            }
        }
        return 0;
    }

    /** Returns the view after {@code key} was pressed while {@code interval} was shown. */
    TopView on(Key key, Interval interval) {
        if (typing) {
            return onTyping(key);
        }
        if (key.is('q')) {
            return new TopView(sort, filter, typing, selected, opened, scroll, paused, help, true);
        }
        if (help) {
            return withHelp(false);
        }
        if (key.is('?') || key.is('h')) {
            return withHelp(true);
        }
        if (key.is('p')) {
            return new TopView(sort, filter, typing, selected, opened, scroll, !paused, help, left);
        }
        return opened == null ? onSites(key, sites(interval)) : onSite(key);
    }

    private TopView onTyping(Key key) {
        return switch (key.kind()) {
            case CHARACTER -> withFilter(filter + key.character(), true);
            case BACKSPACE ->
                    withFilter(
                            filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1), true);
            case ENTER -> withFilter(filter, false);
            case ESCAPE -> withFilter("", false);
            default -> this;
        };
    }

    private TopView onSite(Key key) {
        return switch (key.kind()) {
            case UP -> scrolledTo(scroll - 1);
            case DOWN -> scrolledTo(scroll + 1);
            case PAGE_UP -> scrolledTo(scroll - PAGE);
            case PAGE_DOWN -> scrolledTo(scroll + PAGE);
            case ESCAPE, ENTER, BACKSPACE -> opened(null);
            default -> this;
        };
    }

    private TopView onSites(Key key, List<Held> sites) {
        int index = selectedIndex(sites);
        return switch (key.kind()) {
            case UP -> select(sites, index - 1);
            case DOWN -> select(sites, index + 1);
            case PAGE_UP -> select(sites, index - PAGE);
            case PAGE_DOWN -> select(sites, index + PAGE);
            case ENTER -> sites.isEmpty() ? this : opened(sites.get(index).site());
            case ESCAPE ->
                    filter.isEmpty()
                            ? new TopView(
                                    sort, filter, typing, selected, null, 0, paused, help, true)
                            : withFilter("", false);
            case CHARACTER -> onCharacter(key.character(), sites);
            default -> this;
        };
    }

    private TopView onCharacter(char character, List<Held> sites) {
        if (character >= '1' && character <= '9') {
            return select(sites, character - '1');
        }
        return switch (character) {
            case 's' ->
                    new TopView(
                            sort.next(),
                            filter,
                            typing,
                            selected,
                            opened,
                            scroll,
                            paused,
                            help,
                            left);
            case '/' -> withFilter("", true);
            case 'k' -> select(sites, selectedIndex(sites) - 1);
            case 'j' -> select(sites, selectedIndex(sites) + 1);
            default -> this;
        };
    }

    private TopView select(List<Held> sites, int index) {
        if (sites.isEmpty()) {
            return this;
        }
        PinSite site = sites.get(Math.clamp(index, 0, sites.size() - 1)).site();
        return new TopView(sort, filter, typing, site, opened, scroll, paused, help, left);
    }

    private TopView opened(@Nullable PinSite site) {
        return new TopView(
                sort, filter, typing, site == null ? selected : site, site, 0, paused, help, left);
    }

    private TopView scrolledTo(int line) {
        return new TopView(
                sort, filter, typing, selected, opened, Math.max(line, 0), paused, help, left);
    }

    /** Returns the view, scrolled down by no more than {@code most} lines. */
    TopView scrolledAtMost(int most) {
        return scroll <= most ? this : scrolledTo(most);
    }

    private TopView withFilter(String text, boolean more) {
        return new TopView(sort, text, more, selected, opened, scroll, paused, help, left);
    }

    private TopView withHelp(boolean shown) {
        return new TopView(sort, filter, typing, selected, opened, scroll, paused, shown, left);
    }
}
