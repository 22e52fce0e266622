package io.vtagent.record;

/** Sites whose pins usually last for so long. */
public final class Lasting {
    private Lasting() {}

    /** A site of which one pin has ended. */
    public static Site site(long nanos) {
        Site site = new Site(PinSite.unattributed(PinKind.PARK), PinReason.NATIVE, null);
        site.ended(nanos);
        return site;
    }
}
