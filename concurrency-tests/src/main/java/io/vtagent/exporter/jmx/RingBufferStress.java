package io.vtagent.exporter.jmx;

import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two carriers keep a pin each, and one of them reads: its own is there, the other one's perhaps,
 * and afterwards both are.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "its own")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(expect = Expect.FORBIDDEN, desc = "one was lost, or was read torn")
@State
public class RingBufferStress {
    private final RingBuffer<String> newest = new RingBuffer<>(4);

    @Actor
    public void one() {
        newest.add("one");
    }

    @Actor
    public void other(II_Result result) {
        newest.add("other");
        result.r1 = known(newest.between(0, newest.count()));
    }

    @Arbiter
    public void afterwards(II_Result result) {
        result.r2 = known(newest.between(0, newest.count()));
    }

    private static int known(List<String> read) {
        return read.stream().allMatch(each -> each.equals("one") || each.equals("other"))
                ? read.size()
                : -1;
    }
}
