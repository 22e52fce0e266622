package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/**
 * Code made at random does the same when it is wrapped: what it returns and throws, and which
 * monitors it holds at every step.
 */
class RandomCodeTest {
    /** For a long run: {@code -Drandom.programs=1000000}, and another {@code -Drandom.seed}. */
    private static final int PROGRAMS = Integer.getInteger("random.programs", 1_000);

    private static final long SEED = Long.getLong("random.seed", 1);
    private static final int[] VERSIONS = {
        Opcodes.V1_2, Opcodes.V1_4, Opcodes.V1_5, Opcodes.V1_6, Opcodes.V1_8, Opcodes.V21
    };
    private static final int[] NUMBERS = {0, 1, 6, 21, 63, 42};

    /** The path of the code, on one thread. */
    public static final class Trace {
        private static final int MAX_STEPS = 500;
        private static final List<String> STEPS = new ArrayList<>();
        private static Object[] objects = {};

        private Trace() {}

        public static void at(int place) {
            if (STEPS.size() == MAX_STEPS) {
                throw new IllegalStateException("long enough");
            }
            STEPS.add(place + held());
        }

        /** The monitor of the method, if it is synchronized. */
        public static Object self() {
            return objects[objects.length - 1];
        }

        static String held() {
            StringBuilder held = new StringBuilder(" ");
            for (Object object : objects) {
                held.append(Thread.holdsLock(object) ? 'h' : '-');
            }
            return held.toString();
        }
    }

    @Test
    void itDoesTheSameWhenItIsWrapped() throws ReflectiveOperationException {
        int wrapped = 0;
        int threw = 0;
        for (int program = 0; program < PROGRAMS; program++) {
            long seed = SEED + program;
            AssembledClass made = program(seed);
            Class<?> plain = made.plain();
            Class<?> changed = made.wrapped();
            wrapped += made.classes().transformed.intValue();
            for (int number : NUMBERS) {
                List<String> expected = run(plain, number);
                threw += expected.get(expected.size() - 1).startsWith("java") ? 1 : 0;
                assertThat(run(changed, number))
                        .as("seed " + seed + ", number " + number)
                        .isEqualTo(expected);
            }
            assertThat(made.classes().failed).hasValue(0);
        }
        assertThat(wrapped).isGreaterThan(PROGRAMS / 2);
        assertThat(threw).isGreaterThan(PROGRAMS / 2);
    }

    private static AssembledClass program(long seed) {
        Random random = new Random(seed);
        random.nextInt();
        int version = VERSIONS[random.nextInt(VERSIONS.length)];
        boolean isStatic = random.nextInt(3) == 0;
        return AssembledClass.of(
                version,
                0,
                List.of(),
                writer -> RandomCode.write(random, writer, version, isStatic));
    }

    private static List<String> run(Class<?> type, int number) throws ReflectiveOperationException {
        Method run = type.getMethod("run", Object.class, Object.class, Object.class, int.class);
        Constructor<?> constructor = type.getConstructor();
        boolean isStatic = java.lang.reflect.Modifier.isStatic(run.getModifiers());
        Object self = isStatic ? type : constructor.newInstance();
        Object[] arguments = {new Object(), new Object(), new Object(), number};
        Trace.objects = new Object[] {arguments[0], arguments[1], arguments[2], self};
        Trace.STEPS.clear();
        List<String> trace = Trace.STEPS;
        try {
            trace.add("returned " + run.invoke(isStatic ? null : self, arguments));
        } catch (InvocationTargetException thrown) {
            trace.add(Objects.requireNonNull(thrown.getCause()).getClass().getName());
        }
        trace.add(0, "after" + Trace.held());
        return List.copyOf(trace);
    }
}
