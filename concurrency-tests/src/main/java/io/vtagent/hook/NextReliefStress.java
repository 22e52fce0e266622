package io.vtagent.hook;

import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * An interval with relief ends and the next one begins while the sampler searches for lost relief:
 * it never gets the next one's.
 */
@JCStressTest
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "the thread gave its own back")
@Outcome(
        id = "0, 7",
        expect = Expect.ACCEPTABLE,
        desc = "the sampler did, after the interval had ended")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, nobody, or that of the next interval")
@State
public class NextReliefStress {
    private static final Thread HOLDING = new Thread(() -> {});

    private final CarrierSlot slot = new CarrierSlot(HOLDING, Buckets.SINGLE, true);

    public NextReliefStress() {
        slot.begin(HOLDING, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.relief().begun(7);
    }

    @Actor
    public void hold(JJ_Result result) {
        slot.end(HOLDING, true);
        result.r1 = slot.relief().take(slot.relief().number());
        slot.begin(HOLDING, PinKind.PARK, PinReason.MONITOR, null, null);
        slot.relief().begun(9);
    }

    @Actor
    public void sample(JJ_Result result) {
        result.r2 = slot.relief().take(slot.lostRelief());
    }
}
