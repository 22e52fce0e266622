package io.vtagent.hook;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * The thread of an interval and the sampler, which believes that the interval was lost, give back
 * the compensation: one of them does, once.
 */
@JCStressTest
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "the thread")
@Outcome(id = "0, 7", expect = Expect.ACCEPTABLE, desc = "the sampler")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, or nobody")
@State
public class CompensationTokenStress {
    private final CompensationToken relief = new CompensationToken();

    public CompensationTokenStress() {
        relief.begun(7);
    }

    @Actor
    public void thread(JJ_Result result) {
        result.r1 = relief.take(relief.number());
    }

    @Actor
    public void sample(JJ_Result result) {
        result.r2 = relief.take(relief.number());
    }
}
