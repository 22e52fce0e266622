package io.vtagent.junit;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pins of a test, as a parameter of its method: each call tells those until now, ended or in progress, the oldest first. Those that an
 * annotation ignores, or leaves out for their kind, are here; those that are {@link Pin#incidental} are not, but for {@link #all}. Thread-safe.
 */
public final class Pins implements Iterable<Pin> {
    private final Supplier<List<Pin>> now;

    private final boolean all;

    /** @param now those until now, with the incidental ones */
    Pins(Supplier<List<Pin>> now) {
        this(now, false);
    }

    private Pins(Supplier<List<Pin>> now, boolean all) {
        this.now = now;
        this.all = all;
    }

    /** With those that are {@link Pin#incidental}. */
    public Pins all() {
        return new Pins(now, true);
    }

    /** Those until now. */
    public List<Pin> toList() {
        return now.get().stream()
                .filter(pin -> all || pin.incidental().isEmpty())
                .toList();
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

    /** How long they held carriers, added up. */
    public Duration held() {
        return held(toList());
    }

    static Duration held(List<Pin> pins) {
        return pins.stream().map(Pin::held).reduce(Duration.ZERO, Duration::plus);
    }

    /** Those of one kind. */
    public Pins of(PinKind kind) {
        return where(pin -> pin.kind() == kind);
    }

    /** Those whose holder or caller begins so. */
    public Pins at(String prefix) {
        return where(pin -> pin.isAt(prefix));
    }

    /** Those that have not ended. */
    public Pins inProgress() {
        return where(Pin::inProgress);
    }

    private Pins where(Predicate<Pin> wanted) {
        return new Pins(() -> now.get().stream().filter(wanted).toList(), all);
    }

    /** By site, each with caller, operation, stack and advice: what a failing test prints. */
    @Override
    public String toString() {
        List<Pin> pins = toList();
        return pins.isEmpty() ? "no pins" : Sites.inWords(pins);
    }
}
