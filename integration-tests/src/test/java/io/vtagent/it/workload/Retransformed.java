package io.vtagent.it.workload;

import java.io.ObjectStreamClass;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * {@code FILE}: the agent {@link SecondAgent} retransforms every class that is loaded, at once,
 * then redefines the class {@code Body} from the file, then retransforms again. One of them has a
 * method with a type that is missing.
 */
public final class Retransformed {
    private Retransformed() {}

    public static void main(String[] arguments) throws Exception {
        Instrumentation agent = SecondAgent.instrumentation();
        IntSupplier needy = make("Needy");
        IntSupplier body = make("Body");
        WorkloadConsole.fact("needy", needy.getAsInt());
        report("loaded", body);
        WorkloadConsole.fact("retransformed", retransformAll(agent));
        report("retransformed", body);
        agent.redefineClasses(
                new ClassDefinition(body.getClass(), Files.readAllBytes(Path.of(arguments[0]))));
        report("redefined", body);
        WorkloadConsole.fact("again", retransformAll(agent));
        report("again", body);
        WorkloadConsole.fact("needy", needy.getAsInt());
        WorkloadConsole.done();
    }

    private static IntSupplier make(String name) throws ReflectiveOperationException {
        return Class.forName(name).asSubclass(IntSupplier.class).getConstructor().newInstance();
    }

    private static void report(String when, IntSupplier body) throws ReflectiveOperationException {
        int modifiers = body.getClass().getMethod("getAsInt").getModifiers();
        long uid = ObjectStreamClass.lookup(body.getClass()).getSerialVersionUID();
        WorkloadConsole.fact("body " + when, body.getAsInt() + " " + modifiers + " " + uid);
    }

    private static String retransformAll(Instrumentation agent) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> type : agent.getAllLoadedClasses()) {
            if (agent.isModifiableClass(type) && !type.isHidden()) {
                all.add(type);
            }
        }
        try {
            agent.retransformClasses(all.toArray(new Class<?>[0]));
            return "all";
        } catch (Throwable refused) {
            return refused.toString();
        }
    }
}
