package io.vtagent.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * The JFR event {@code io.vtagent.Pin}: a pin, in fields that JFR reads. {@link PinEvents}
 * registers it when a recording runs.
 */
@Name("io.vtagent.Pin")
@Label("Held Carrier")
@Description("A virtual thread held its carrier because it blocked and could not unmount")
@Category("vt-agent")
@Registered(false)
@StackTrace
@SuppressWarnings("UnusedVariable")
public final class PinEvent extends Event {
    @Label("Site")
    @Description("The frame that held the carrier")
    @Nullable String site;

    @Label("Caller")
    @Description("The nearest frame of the application")
    @Nullable String caller;

    @Label("Operation")
    @Description("The public method that blocked")
    @Nullable String operation;

    @Label("Kind")
    @Nullable String kind;

    @Label("Reason")
    @Description("Why the thread could not unmount")
    @Nullable String reason;

    @Label("Monitor Class")
    @Description(
            "The class of the monitor that the site has or waits for, or the class whose"
                    + " initialization it waits for")
    @Nullable String monitorClass;

    @Label("Compensated")
    @Description("Whether the scheduler or relief compensated for the held carrier")
    boolean compensated;

    @Label("Virtual Thread")
    @Description("The thread that held the carrier, if it is known")
    @Nullable Thread virtualThread;

    @Label("Virtual Thread Id")
    long virtualThreadId;

    @Label("Sampled")
    @Description(
            "Whether the pin was sampled. If so, the event's thread is one of vt-agent's, it has no"
                    + " stack, and its times may be estimates")
    boolean sampled;
}
