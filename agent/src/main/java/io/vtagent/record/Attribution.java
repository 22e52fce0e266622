package io.vtagent.record;

import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.HeldStack;
import io.vtagent.vm.MonitorStackWalker;
import io.vtagent.vm.StackFingerprint;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds the site of the current thread's pin. A stack that was seen before is recognised by its fingerprint; a new one is walked
 * with its monitors. Lock-free; the memory of fingerprints is a table in which a new one may replace an old one.
 */
final class Attribution {
    private static final int REMEMBERED = 1 << 11;

    private record Known(long fingerprint, Site site) {}

    private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(REMEMBERED);
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
        int slot = (int) (fingerprint >>> 17) & (REMEMBERED - 1);
        Known candidate = known.get(slot);
        if (candidate == null || candidate.fingerprint != fingerprint) {
            candidate = new Known(fingerprint, walk(kind, reason, monitor));
            known.lazySet(slot, candidate);
        }
        return candidate.site;
    }

    private Site walk(PinKind kind, PinReason reason, @Nullable Object monitor) {
        HeldStack stack =
                switch (reason) {
                    case MONITOR ->
                        monitor == null
                                ? walker.heldByMonitor()
                                : walker.heldByEntry(monitor.getClass().getName());
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
    Site siteOf(PinKind kind, PinReason reason, HeldStack stack) {
        String caller = stack.caller() == null ? stack.holder() : stack.caller();
        PinSite key = new PinSite(stack.holder(), caller, stack.operation(), kind);
        return sites.siteOf(key, reason.refinedBy(stack), stack);
    }

    List<Site> sites() {
        return sites.sites();
    }
}
