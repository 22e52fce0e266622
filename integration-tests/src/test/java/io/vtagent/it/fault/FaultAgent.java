package io.vtagent.it.fault;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/** Enters the JVM before the agent under test, so that it sees every class of it being defined. */
public final class FaultAgent {
    private FaultAgent() {}

    /** @param arguments {@code POINT KIND} of what is to fail from the start, or nothing */
    public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
        Faults.install();
        if (arguments != null && !arguments.isEmpty()) {
            String[] words = arguments.split(" ", -1);
            Faults.at(words[0], Faults.Kind.valueOf(words[1]), Integer.MAX_VALUE);
        }
        instrumentation.addTransformer(new FaultTransformer());
    }
}
