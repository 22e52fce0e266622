package io.vtagent.pin;

import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The sites: at most {@code maxSites}, and one for each kind that takes the rest. Lock-free,
 * because virtual threads find and add sites while they hold a carrier. It is an open-addressing
 * hash table, at least twice as large as needed, in which a site is never moved or removed.
 */
public final class SiteTable {
    private final AtomicReferenceArray<Site> table;
    private final AtomicInteger vacancies;

    /** The number of sites that can still be added to the table. */
    private final AtomicInteger missing;

    private final List<Site> others = new ArrayList<>();

    public SiteTable(int maxSites) {
        table = new AtomicReferenceArray<>(Integer.highestOneBit(maxSites) * 4);
        vacancies = new AtomicInteger(maxSites);
        missing = new AtomicInteger(maxSites);
        for (PinKind kind : PinKind.values()) {
            others.add(new Site(PinSite.other(kind), PinReason.NONE, null));
        }
    }

    /** Returns whether the table is full, so that no site will be added any more. */
    public boolean isFull() {
        return missing.get() == 0;
    }

    /**
     * Returns the site with that key, which is added if there is room. Otherwise returns the one
     * that takes the rest, also while another thread adds the last site.
     *
     * @param stack that of a pin of the site
     */
    public Site siteOf(PinSite key, PinReason reason, PinnedStack stack) {
        int mask = table.length() - 1;
        for (int slot = key.hashCode() & mask; ; slot = (slot + 1) & mask) {
            Site site = table.get(slot);
            if (site == null && vacancies.getAndDecrement() <= 0) {
                vacancies.incrementAndGet();
                // another thread may have added it with the last vacancy
                site = table.get(slot);
                if (site == null) {
                    return others.get(key.kind().ordinal());
                }
            } else if (site == null) {
                Site added = made(key, reason, stack);
                site = table.compareAndExchange(slot, null, added);
                if (site == null) {
                    missing.decrementAndGet();
                    return added;
                }
                vacancies.incrementAndGet();
            }
            if (site.key().equals(key)) {
                site.learnFrom(stack);
                return site;
            }
        }
    }

    /** Returns the sites that have pins, in no order. */
    public List<Site> sites() {
        List<Site> sites = new ArrayList<>();
        for (int slot = 0; slot < table.length(); slot++) {
            Site site = table.get(slot);
            if (site != null) {
                sites.add(site);
            }
        }
        for (Site other : others) {
            if (other.count() > 0) {
                sites.add(other);
            }
        }
        return sites;
    }

    private Site made(PinSite key, PinReason reason, PinnedStack stack) {
        try {
            return new Site(key, reason, stack);
        } catch (Throwable noMemory) {
            vacancies.incrementAndGet();
            throw noMemory;
        }
    }
}
