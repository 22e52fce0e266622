package io.vtagent.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A running test and its pins, which are those that began while it ran. Used by the thread that
 * runs the test, except {@link #pins}.
 */
final class MeasuredTest implements AutoCloseable {
    private final AgentBean agent;
    private final RunningTests.Run run;
    private final long beganNanos;
    private final long number;
    private volatile @Nullable List<Pin> last;
    private volatile long forgotten;
    private volatile Set<Pin> unsure = Set.of();

    MeasuredTest(AgentBean agent, ExtensionContext context) {
        this.agent = agent;
        run = RunningTests.begin(context);
        beganNanos = System.nanoTime();
        try {
            number = agent.begin();
        } catch (RuntimeException none) {
            run.end();
            throw none;
        }
        run.numbered(number);
    }

    boolean monitorsPin() {
        return agent.monitorsPin();
    }

    /** Ends the test: later pins are not its own. */
    void finish() {
        if (last == null) {
            last = read();
        }
    }

    /** Returns the pins until now, or until the test was over. */
    List<Pin> pins() {
        List<Pin> known = last;
        return known == null ? read() : known;
    }

    private List<Pin> read() {
        AgentBean.KeptPins kept = agent.pinsOf(number);
        forgotten = kept.forgotten();
        List<Pin> pins = new ArrayList<>();
        Set<Pin> ofAnybody = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean alone = run.isAlone();
        for (AgentBean.OwnedPin each : kept.pins()) {
            boolean mine = alone || each.test() == number;
            long atNanos = beganNanos + each.pin().began().toNanos();
            if (each.pin().began().isNegative()
                    || (!mine && run.wasRunning(each.test(), atNanos))) {
                continue;
            }
            if (!mine) {
                ofAnybody.add(each.pin());
            }
            pins.add(each.pin());
        }
        unsure = ofAnybody;
        return pins;
    }

    /**
     * Returns notes for the reader of a failure about {@code counted}, some of the pins, each on a
     * line of its own.
     */
    String inWords(List<Pin> counted) {
        StringBuilder text = new StringBuilder();
        Set<String> others = new TreeSet<>(run.others());
        if (counted.stream().anyMatch(unsure::contains) && !others.isEmpty()) {
            text.append(
                            "\n"
                                    + "which test started these threads is not known of all; at the"
                                    + " same time ran ")
                    .append(String.join(", ", others));
        }
        if (forgotten > 0) {
            text.append("\nand ")
                    .append(forgotten)
                    .append(" earlier pins, of which no more is known");
        }
        return text.toString();
    }

    @Override
    public void close() {
        try {
            finish();
            agent.end(number);
        } finally {
            run.end();
        }
    }
}
