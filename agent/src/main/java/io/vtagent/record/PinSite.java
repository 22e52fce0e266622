package io.vtagent.record;

/**
 * What pins are attributed to: the values of the tags of {@code vthread.pinned.site}.
 *
 * @param site the holder as {@code class.method:line}, or {@link #UNATTRIBUTED} or {@link #OTHER}
 * @param operation the public API that blocked as {@code class.method}
 */
public record PinSite(String site, String operation, PinKind kind) {
    /** Pins whose stack was not walked. */
    public static final String UNATTRIBUTED = "(unattributed)";
    /** Pins of the sites beyond {@code max-sites}. */
    public static final String OTHER = "(other)";

    /** The site of the pins of {@code kind} whose stack was not walked. */
    public static PinSite unattributed(PinKind kind) {
        return new PinSite(UNATTRIBUTED, UNATTRIBUTED, kind);
    }

    static PinSite other(PinKind kind) {
        return new PinSite(OTHER, OTHER, kind);
    }
}
