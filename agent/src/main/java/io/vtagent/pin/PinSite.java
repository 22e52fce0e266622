package io.vtagent.pin;

import org.jspecify.annotations.Nullable;

/**
 * The site that pins are attributed to: the values of the tags of {@code vthread.pinned.site}.
 *
 * @param site the holder as {@code class.method:line}, or {@link #UNATTRIBUTED} or {@link #OTHER}
 * @param caller the nearest frame, from the holder outward and including it, in the packages of the
 *     option {@code app}; if there is none, or no such option, the nearest frame that is not the
 *     JDK's; otherwise the holder
 * @param operation the public API that blocked, as {@code class.method}
 */
public record PinSite(String site, String caller, String operation, PinKind kind) {
    /** Pins whose stack was not walked. */
    public static final String UNATTRIBUTED = "(unattributed)";

    /** Pins of the sites beyond {@code max-sites}. */
    public static final String OTHER = "(other)";

    /** Returns the site of the pins of {@code kind} whose stack was not walked. */
    public static PinSite unattributed(PinKind kind) {
        return new PinSite(UNATTRIBUTED, UNATTRIBUTED, UNATTRIBUTED, kind);
    }

    /** Returns the site that takes the pins of sites beyond the maximum. */
    public static PinSite other(PinKind kind) {
        return new PinSite(OTHER, OTHER, OTHER, kind);
    }

    /**
     * Equivalent to a record's own method, which uses method handles. To link and specialize those,
     * the JDK loads classes and may park, which a hook must not.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PinSite that
                && kind == that.kind
                && site.equals(that.site)
                && caller.equals(that.caller)
                && operation.equals(that.operation);
    }

    @Override
    public int hashCode() {
        return ((site.hashCode() * 31 + caller.hashCode()) * 31 + operation.hashCode()) * 31
                + kind.ordinal();
    }

    /** Returns whether it stands for pins without a stack, or for the sites beyond the maximum. */
    public boolean isForMany() {
        return site.equals(UNATTRIBUTED) || site.equals(OTHER);
    }
}
