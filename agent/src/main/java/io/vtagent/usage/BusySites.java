package io.vtagent.usage;

import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The code that computes on carriers for long without unmounting: at most {@code maxSites} sites,
 * one for the rest, and one for what has no stack. Thread-safe by one lock, which no virtual thread
 * takes.
 */
public final class BusySites {
    private record Key(String site, String caller) {}

    private final int maxSites;
    private final Map<Key, BusySite> sites = new LinkedHashMap<>();
    private final BusySite other = new BusySite(PinSite.OTHER, PinSite.OTHER, List.of());
    private final BusySite unattributed =
            new BusySite(PinSite.UNATTRIBUTED, PinSite.UNATTRIBUTED, List.of());
    private volatile int carriers;

    public BusySites(int maxSites) {
        this.maxSites = maxSites;
    }

    /**
     * Returns the site of {@code stack}, whose holder is the frame that computes.
     *
     * @param stack null if it is not known
     */
    public synchronized BusySite siteOf(@Nullable PinnedStack stack) {
        if (stack == null) {
            return unattributed;
        }
        String caller = stack.caller() == null ? stack.holder() : stack.caller();
        Key key = new Key(stack.holder(), caller);
        BusySite known = sites.get(key);
        if (known == null && sites.size() < maxSites) {
            known = new BusySite(key.site, key.caller, List.copyOf(stack.frames()));
            sites.put(key, known);
        }
        return known == null ? other : known;
    }

    /** Sets the number of carriers that are busy now. */
    public void carriers(int now) {
        carriers = now;
    }

    /** Returns the number of carriers that were busy at the newest sample. */
    public int carriers() {
        return carriers;
    }

    /** Returns the sites that have any time, in no order. */
    public synchronized List<BusySite> sites() {
        List<BusySite> all = new ArrayList<>(sites.values());
        all.add(other);
        all.add(unattributed);
        all.removeIf(site -> site.nanos() == 0 && site.count() == 0);
        return all;
    }
}
