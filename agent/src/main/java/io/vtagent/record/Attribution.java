package io.vtagent.record;

import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.MonitorStackWalker;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.StackCache;
import io.vtagent.vm.StackFingerprint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the site of the current thread's pin. A stack that was seen before is recognised by its fingerprint; a new one is walked
 * with its monitors. Lock-free.
 */
final class Attribution {
    private static final int REMEMBERED = 1 << 11;

    private final StackCache<Site> known = new StackCache<>(REMEMBERED);
    private final SiteTable sites;
    private final MonitorStackWalker walker;

    Attribution(int maxSites, FramesOfInterest wanted) {
        sites = new SiteTable(maxSites);
        walker = new MonitorStackWalker(wanted);
    }

    /**
     * @param monitor what the current thread is about to enter, or null if it is not
     */
    Site siteOf(PinKind kind, PinReason reason, @Nullable Object monitor) {
        long fingerprint = StackFingerprint.ofCurrentThread();
        if (fingerprint == StackFingerprint.NONE) {
            return walk(kind, reason, monitor);
        }
        fingerprint = fingerprint * 31 + PinKey.index(kind, reason, false);
        Site site = known.get(fingerprint);
        if (site == null) {
            site = walk(kind, reason, monitor);
            known.put(fingerprint, site);
        }
        return site;
    }

    private Site walk(PinKind kind, PinReason reason, @Nullable Object monitor) {
        PinnedStack stack =
                switch (reason) {
                    case MONITOR -> monitor == null ? walker.heldByMonitor() : walker.heldByEntry(monitor);
                    case NATIVE, CLASS_INIT -> walker.heldByNativeFrame();
                    case CRITICAL_SECTION -> walker.heldByCriticalSection();
                    case NONE -> walker.heldByCall();
                };
        return siteOf(kind, reason, stack);
    }

    /** Loads what it needs. */
    void warmUp() {
        walker.warmUp();
    }

    /** The site of a stack that was read from outside. */
    Site siteOf(PinKind kind, PinReason reason, PinnedStack stack) {
        String caller = stack.caller() == null ? stack.holder() : stack.caller();
        PinSite key = new PinSite(stack.holder(), caller, stack.operation(), kind);
        return sites.siteOf(key, reason.refinedBy(stack), stack);
    }

    List<Site> sites() {
        return sites.sites();
    }
}
