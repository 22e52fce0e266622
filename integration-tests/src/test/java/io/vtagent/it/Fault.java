package io.vtagent.it;

import io.vtagent.it.fault.Faults.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A method of the agent that fails, and what the application does meanwhile and afterwards.
 *
 * @param point the method, as {@code Class.method}
 * @param holding how the application holds a carrier
 * @param times how often it fails
 */
record Fault(String point, String holding, Kind kind, int times) {
    /** With {@code -Pstress}; else not every point fails in every way. */
    static final boolean ALL = Boolean.getBoolean("it.stress");

    String label() {
        return holding.toLowerCase(Locale.ROOT);
    }

    /** Each way to fail, once and for as long as it is wanted. */
    static List<Fault> each(String point, String holding) {
        List<Fault> faults = new ArrayList<>();
        for (Kind kind : ALL ? Kind.values() : new Kind[] {kindOf(point.length())}) {
            faults.add(new Fault(point, holding, kind, 1));
            faults.add(new Fault(point, holding, kind, Integer.MAX_VALUE));
        }
        return faults;
    }

    static Kind kindOf(int number) {
        return Kind.values()[number % Kind.values().length];
    }
}
