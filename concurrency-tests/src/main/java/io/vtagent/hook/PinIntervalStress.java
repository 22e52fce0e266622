package io.vtagent.hook;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread ends one interval and begins another one, while a reader samples: the reader gets one,
 * the other or none, and never parts of both.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "none")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the first")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "the second")
@Outcome(id = "3", expect = Expect.FORBIDDEN, desc = "parts of both")
@State
public class PinIntervalStress {
    private static final Thread HOLDING = new Thread(() -> {});
    private static final Object MONITOR = new Object();

    private final PinInterval interval = new PinInterval();
    private final CompensationToken relief = new CompensationToken();

    public PinIntervalStress() {
        interval.begin(HOLDING, PinKind.WAIT, PinReason.MONITOR, null, MONITOR);
    }

    @Actor
    public void hold() {
        interval.end(HOLDING, true);
        interval.begin(HOLDING, PinKind.IO, PinReason.NONE, null, null);
    }

    @Actor
    public void sample(I_Result result) {
        ActivePin seen = interval.active(HOLDING, System.nanoTime(), relief);
        if (seen == null) {
            result.r1 = 0;
        } else if (seen.kind() == PinKind.WAIT
                && seen.reason() == PinReason.MONITOR
                && seen.monitor() == MONITOR) {
            result.r1 = 1;
        } else if (seen.kind() == PinKind.IO
                && seen.reason() == PinReason.NONE
                && seen.monitor() == null) {
            result.r1 = 2;
        } else {
            result.r1 = 3;
        }
    }
}
