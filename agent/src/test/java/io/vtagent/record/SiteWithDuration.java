package io.vtagent.record;

/** Sites whose pins usually have a given duration. */
public final class SiteWithDuration {
    private SiteWithDuration() {}

    /** A site of which one pin has ended. */
    public static Site of(long nanos) {
        Site site = new Site(PinSite.unattributed(PinKind.PARK), PinReason.NATIVE, null);
        site.ended(nanos);
        return site;
    }
}
