package io.vtagent.hook;

import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.pin.SiteTable;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.MonitorStackWalker;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.StackCache;
import io.vtagent.site.StackFingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the site of the current thread's pin. Recognises a known stack by its fingerprint, and
 * walks a new one with its monitors. Lock-free.
 */
public final class Attribution {
    private static final int REMEMBERED = 1 << 11;

    private final StackCache<Attributed> known = new StackCache<>(REMEMBERED);
    private final SiteTable sites;
    private final MonitorStackWalker walker;

    public Attribution(int maxSites, FramesOfInterest wanted) {
        sites = new SiteTable(maxSites);
        walker = new MonitorStackWalker(wanted);
    }

    /**
     * Returns the site, or {@link Attributed#AGENTS} if the current thread does the agent's work.
     *
     * @param monitor the monitor that the current thread is about to enter, or null
     */
    Attributed attribute(PinKind kind, PinReason reason, @Nullable Object monitor) {
        long fingerprint = StackFingerprint.ofCurrentThread();
        if (fingerprint == StackFingerprint.NONE) {
            return walk(kind, reason, monitor);
        }
        fingerprint = fingerprint * 31 + PinKey.index(kind, reason, false);
        Attributed found = known.get(fingerprint);
        if (found == null) {
            boolean isFull = sites.isFull();
            found = walk(kind, reason, monitor);
            if (isFull || !found.site().isForMany()) { // else it may get its own site next time
                known.put(fingerprint, found);
            }
        }
        return found;
    }

    private Attributed walk(PinKind kind, PinReason reason, @Nullable Object monitor) {
        PinnedStack stack =
                switch (reason) {
                    case MONITOR ->
                            monitor == null ? walker.heldByMonitor() : walker.heldByEntry(monitor);
                    case NATIVE, CLASS_INIT -> walker.heldByNativeFrame();
                    case CRITICAL_SECTION -> walker.heldByCriticalSection();
                    case NONE -> walker.heldByCall();
                };
        return stack == PinnedStack.AGENTS ? Attributed.AGENTS : attribute(kind, reason, stack);
    }

    /** Loads the classes that attribution needs. */
    void warmUp() {
        walker.warmUp();
    }

    /** Attributes a pin by a stack that the sampler or JFR has read. */
    public Attributed attribute(PinKind kind, PinReason reason, PinnedStack stack) {
        String caller = stack.caller() == null ? stack.holder() : stack.caller();
        PinSite key = new PinSite(stack.holder(), caller, stack.operation(), kind);
        PinReason refined = reason.refinedBy(stack);
        return new Attributed(sites.siteOf(key, refined, stack), refined);
    }

    /** Returns the sites that have pins, in no order. */
    public List<Site> sites() {
        return sites.sites();
    }
}
