package io.vtagent.ledger;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;

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
