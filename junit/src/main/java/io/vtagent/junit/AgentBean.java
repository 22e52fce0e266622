package io.vtagent.junit;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/**
 * The agent of this JVM, accessed through its MXBean. An agent is attached if there is none.
 * Thread-safe.
 */
final class AgentBean {
    private static final String NAME = "io.vtagent:type=VtAgent";

    /** The state of a sensor until it has been proved. No pins are reported before that. */
    private static final String NOT_PROVED_YET = "not proved yet";

    private static final long MAX_START_NANOS = 60_000_000_000L;
    private static final long POLL_NANOS = 2_000_000;
    private static final Object[] NO_ARGUMENTS = {};
    private static final String[] NO_TYPES = {};
    private static final String[] NUMBER = {"long"};

    private static @Nullable AgentBean known;
    private static @Nullable String refusal;

    private final MBeanServer server;
    private final ObjectName name;
    private final boolean monitorsPin;

    /**
     * A pin and the test that it belongs to.
     *
     * @param test the number of the test that started the thread of the pin, directly or through
     *     other threads; 0 if unknown
     */
    record OwnedPin(Pin pin, long test) {}

    /**
     * @param forgotten the number of earlier pins that are not kept any more
     */
    record KeptPins(long forgotten, List<OwnedPin> pins) {}

    private AgentBean(MBeanServer server, ObjectName name) throws JMException {
        this.server = server;
        this.name = name;
        monitorsPin = (Boolean) server.getAttribute(name, "MonitorsPin");
    }

    /**
     * Returns the agent, the same one for all tests of this JVM.
     *
     * @throws NoAgentException if there cannot be one; after a failure it is not tried again
     */
    static synchronized AgentBean get() {
        String before = refusal;
        if (before != null) {
            throw new NoAgentException(before);
        }
        AgentBean bean = known;
        if (bean != null && bean.server.isRegistered(bean.name)) {
            return bean;
        }
        try {
            bean = find();
        } catch (NoAgentException none) {
            refusal = none.why();
            throw none;
        }
        known = bean;
        return bean;
    }

    private static AgentBean find() {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName(NAME);
            boolean there = server.isRegistered(name) || Attaching.isAgentThere();
            if (!there) {
                Attaching.attach();
            }
            await(server, name, there);
            return new AgentBean(server, name);
        } catch (JMException unreadable) {
            throw new NoAgentException("its MXBean does not answer: " + unreadable, unreadable);
        }
    }

    /**
     * Waits until the MXBean is registered and its sensors are proved. The agent is ready somewhat
     * later than it reports: on a busy machine, some seconds.
     */
    private static void await(MBeanServer server, ObjectName name, boolean wasThere)
            throws JMException {
        long beganNanos = System.nanoTime();
        while (!server.isRegistered(name) || !isProved(server, name)) {
            if (System.nanoTime() - beganNanos > MAX_START_NANOS) {
                throw new NoAgentException(
                        (wasThere
                                        ? "the agent of this JVM is not ready: "
                                        : "it was attached, but is not ready: ")
                                + "within a minute there was no MXBean "
                                + NAME
                                + " whose sensors are proved; a line of [vt-agent] on stderr has"
                                + " the reason");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static boolean isProved(MBeanServer server, ObjectName name) throws JMException {
        TabularData sensors = (TabularData) server.getAttribute(name, "Sensors");
        return sensors.values().stream()
                .map(CompositeData.class::cast)
                .noneMatch(sensor -> NOT_PROVED_YET.equals(sensor.get("value")));
    }

    boolean monitorsPin() {
        return monitorsPin;
    }

    long begin() {
        return (Long) answer("begin", NO_ARGUMENTS, NO_TYPES);
    }

    void end(long test) {
        Object unused = call("end", new Object[] {test}, NUMBER);
    }

    KeptPins pinsOf(long test) {
        CompositeData answer = (CompositeData) answer("pinsOf", new Object[] {test}, NUMBER);
        List<OwnedPin> pins = new ArrayList<>();
        for (CompositeData pin : (CompositeData[]) answer.get("pins")) {
            pins.add(new OwnedPin(pin(pin), (Long) pin.get("test")));
        }
        return new KeptPins((Long) answer.get("forgotten"), pins);
    }

    private Object answer(String operation, Object[] arguments, String[] types) {
        return Objects.requireNonNull(call(operation, arguments, types), operation);
    }

    /** Invokes an operation on the current thread, which is the thread that belongs to the test. */
    private @Nullable Object call(String operation, Object[] arguments, String[] types) {
        try {
            return server.invoke(name, operation, arguments, types);
        } catch (JMException unknown) {
            throw new NoAgentException(
                    "the agent of this JVM does not know \""
                            + operation
                            + "\" ("
                            + unknown
                            + "); expected one of the version of vt-agent-junit, or a newer one",
                    unknown);
        }
    }

    private Pin pin(CompositeData of) {
        PinKind kind = PinKind.of(text(of, "kind"));
        boolean compensated = (Boolean) of.get("compensated");
        List<String> stack = List.of((String[]) of.get("stack"));
        String monitor = text(of, "monitor");
        String reason = text(of, "reason");
        boolean monitorOfCode =
                kind != PinKind.ENTER
                        || EnteredMonitor.mayBeOfCode(monitorsPin, monitor, reason, stack);
        return new Pin(
                kind,
                reason,
                compensated,
                text(of, "site"),
                text(of, "caller"),
                text(of, "operation"),
                monitor,
                text(of, "nativeFrame"),
                text(of, "advice"),
                text(of, "thread"),
                (Long) of.get("threadId"),
                Duration.ofNanos((Long) of.get("beganNanos")),
                Duration.ofNanos((Long) of.get("heldNanos")),
                (Boolean) of.get("inProgress"),
                Incidental.why(kind, compensated, text(of, "site"), stack, monitorOfCode),
                stack);
    }

    private static String text(CompositeData of, String item) {
        return (String) of.get(item);
    }
}
