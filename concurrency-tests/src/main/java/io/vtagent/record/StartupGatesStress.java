package io.vtagent.record;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A carrier of the application's and one of the agent's own are seen first at the same time. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "that of the application is known")
@Outcome(expect = Expect.FORBIDDEN, desc = "it is forgotten")
@State
public class StartupGatesStress {
    private final CarrierSlots slots = new CarrierSlots(Buckets.SINGLE);

    @Actor
    public void applications() {
        slots.saw(false);
    }

    @Actor
    public void own() {
        slots.saw(true);
    }

    @Arbiter
    public void seen(Z_Result result) {
        result.r1 = slots.anyEver();
    }
}
