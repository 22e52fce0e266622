package io.vtagent.it.fault;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Enters the JVM before the agent under test, so that it transforms every class of it. */
public final class FaultAgent {
    private FaultAgent() {}

    /** Stands for a kind of fault: the point never comes to an end. */
    public static final String BLOCK = "BLOCK";

    /**
     * @param arguments {@code POINT KIND} of what is to fail from the start, or nothing
     */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        Faults.install();
        if (arguments != null && !arguments.isEmpty()) {
            String[] words = arguments.split(" ", -1);
            if (words[1].equals(BLOCK)) {
                Faults.blockAt(words[0]);
            } else {
                Faults.at(words[0], Faults.Kind.valueOf(words[1]), Integer.MAX_VALUE);
            }
        }
        instrumentation.addTransformer(new FaultTransformer());
    }
}
