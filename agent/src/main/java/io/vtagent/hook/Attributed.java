package io.vtagent.hook;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;

/**
 * The site and reason that a pin is attributed to.
 *
 * @param reason the reason why the thread could not unmount, as precise as the stack of this pin
 *     shows it; pins of one site may have different reasons
 */
public record Attributed(Site site, PinReason reason) {
    /** The pins in the agent's own work, such as the loading of its classes. They do not count. */
    static final Attributed AGENTS =
            new Attributed(
                    new Site(PinSite.unattributed(PinKind.PARK), PinReason.NONE, null),
                    PinReason.NONE);
}
