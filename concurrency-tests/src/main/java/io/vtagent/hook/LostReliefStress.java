package io.vtagent.hook;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A thread begins an interval with relief, while the sampler searches for lost relief: this relief
 * lasts.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "left alone")
@Outcome(expect = Expect.FORBIDDEN, desc = "taken from a carrier that is held")
@State
public class LostReliefStress {
    /** Counts as mounted, since it is no virtual one. */
    private static final Thread HOLDING = new Thread(() -> {});

    private final CarrierSlot slot = new CarrierSlot(HOLDING, Buckets.SINGLE, true);

    @Actor
    public void hold() {
        slot.begin(HOLDING, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.relief().begun(7);
    }

    @Actor
    public void sample(J_Result result) {
        result.r1 = slot.relief().take(slot.lostRelief());
    }
}
