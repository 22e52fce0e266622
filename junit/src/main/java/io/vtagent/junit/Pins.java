package io.vtagent.junit;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pins of a test, as a parameter of its method. Each call returns the pins until now, ended or
 * in progress, the oldest first. Pins that an annotation ignores, or leaves out because of their
 * kind, are included. {@link Pin#incidental} pins are excluded, except by {@link #all}.
 * Thread-safe.
 */
public final class Pins implements Iterable<Pin> {
    private final Supplier<List<Pin>> now;

    private final boolean all;

    /**
     * @param now supplies the pins until now, including the incidental ones
     */
    Pins(Supplier<List<Pin>> now) {
        this(now, false);
    }

    private Pins(Supplier<List<Pin>> now, boolean all) {
        this.now = now;
        this.all = all;
    }

    /** Returns these pins and those that are {@link Pin#incidental}. */
    public Pins all() {
        return new Pins(now, true);
    }

    /** Returns the pins until now. */
    public List<Pin> toList() {
        return now.get().stream().filter(pin -> all || pin.incidental().isEmpty()).toList();
    }

    public Stream<Pin> stream() {
        return toList().stream();
    }

    @Override
    public Iterator<Pin> iterator() {
        return toList().iterator();
    }

    public boolean isEmpty() {
        return toList().isEmpty();
    }

    public int count() {
        return toList().size();
    }

    /** Returns for how long the pins held carriers in total. */
    public Duration held() {
        return held(toList());
    }

    static Duration held(List<Pin> pins) {
        return pins.stream().map(Pin::held).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns the pins of one kind. */
    public Pins of(PinKind kind) {
        return where(pin -> pin.kind() == kind);
    }

    /** Returns the pins whose holder or caller begins with {@code prefix}. */
    public Pins at(String prefix) {
        return where(pin -> pin.isAt(prefix));
    }

    /** Returns the pins that have not ended. */
    public Pins inProgress() {
        return where(Pin::inProgress);
    }

    private Pins where(Predicate<Pin> wanted) {
        return new Pins(() -> now.get().stream().filter(wanted).toList(), all);
    }

    /**
     * Returns what a failing test prints: the pins by site, each with caller, operation, stack and
     * advice.
     */
    @Override
    public String toString() {
        List<Pin> pins = toList();
        return pins.isEmpty() ? "no pins" : Sites.inWords(pins);
    }
}
