package io.vtagent.options;

import io.vtagent.log.AgentLog;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options as the agent uses them.
 *
 * @param port of the endpoint, 0 for any free one; empty for none
 * @param portAsked whether somebody has given that port, and it is not the default
 * @param bind the address of the endpoint
 * @param token what the endpoint asks for, null for nothing
 * @param report where the report goes at exit
 * @param reportStacks whether its text has the sites with their stacks
 * @param stackThresholdNanos the shortest pin whose stack is walked
 * @param stackDepth the most frames of a stack that are kept
 * @param maxSites the most sites that are kept
 * @param wrapSynchronized whether {@code synchronized} of application classes is wrapped
 * @param include prefixes of class names to wrap; none stands for all
 * @param exclude prefixes of class names not to wrap
 * @param vmEvents when the JVM's own events are taken
 * @param nativeSampleNanos the period of the sampler for blocking native code, 0 for none
 * @param starvationAfterNanos how long all carriers are held before that is diagnosed
 * @param relief the most carriers that are made up for at a time, 0 for none
 * @param reliefWhenStuck whether carriers are added when nothing moves any more
 * @param histogram whether {@code vthread.pinned} and {@code vthread.scheduler.delay} have buckets
 * @param app prefixes of the user's own packages, without a dot at the end; none stands for everything but the JDK
 * @param delayProbeNanos the period of the probe behind {@code vthread.scheduler.delay}, 0 for none
 * @param otlp where metrics are pushed, null for nowhere
 * @param jfrEvents whether pins are events in the flight recordings that others make
 * @param appRegistry whether the application's own Micrometer registry is filled
 * @param appRegistrySites whether {@code vthread.pinned.site} is among the meters that it is filled with
 * @param tags the tags of every meter
 * @param log what is printed to stderr
 * @param warnings a sentence each for what was given and is ignored
 * @param sources where the options come from
 */
public record AgentOptions(
        OptionalInt port,
        boolean portAsked,
        InetAddress bind,
        @Nullable Token token,
        ReportTarget report,
        boolean reportStacks,
        long stackThresholdNanos,
        int stackDepth,
        int maxSites,
        boolean wrapSynchronized,
        List<String> include,
        List<String> exclude,
        VmEventsMode vmEvents,
        long nativeSampleNanos,
        long starvationAfterNanos,
        int relief,
        boolean reliefWhenStuck,
        boolean histogram,
        List<String> app,
        long delayProbeNanos,
        @Nullable OtlpUrl otlp,
        boolean jfrEvents,
        boolean appRegistry,
        boolean appRegistrySites,
        Map<String, String> tags,
        AgentLog.Level log,
        List<String> warnings,
        OptionSources sources) {

    private static final Pattern TOKEN = Pattern.compile("((?:^|,)\\s*" + Option.TOKEN.key() + "\\s*[=:])[^,]*");

    /** When the JVM's own events are taken. */
    public enum VmEventsMode {
        OFF,
        /** When the looks at the carriers have seen enough of what they would tell. */
        AUTO,
        /** From the first virtual thread on. */
        ON
    }

    /**
     * @param arguments {@code key=value,key=value}, or null
     * @throws BadOptionException if a source names an unknown option or a value is not allowed
     */
    public static AgentOptions parse(@Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        return of(OptionSources.read(arguments, properties, environment));
    }

    /**
     * The same, but for what {@code changes} say.
     *
     * @param changes {@code key=value,key=value}
     * @throws BadOptionException if they name an unknown option, or one that cannot change while the agent runs, or a value is not allowed
     */
    public AgentOptions changed(String changes) throws BadOptionException {
        return of(sources.changed(OptionSources.read(changes, new Properties(), Map.of())));
    }

    /** {@code arguments} without the token, for messages. */
    public static String withoutToken(String arguments) {
        return TOKEN.matcher(arguments).replaceAll("$1...");
    }

    private static AgentOptions of(OptionSources sources) throws BadOptionException {
        OptionValues values = new OptionValues(sources.given());
        return new AgentOptions(
                values.port(),
                values.given().containsKey(Option.PORT),
                values.address(),
                values.token(),
                values.report(),
                values.onOff(Option.REPORT_STACKS),
                values.duration(Option.STACK_THRESHOLD, 0),
                values.number(Option.STACK_DEPTH, 1, 1024),
                values.number(Option.MAX_SITES, 1, 10_000),
                values.onOff(Option.SYNCHRONIZED),
                values.prefixes(Option.INCLUDE),
                values.prefixes(Option.EXCLUDE),
                values.vmEvents(),
                values.period(Option.NATIVE_SAMPLE),
                values.duration(Option.STARVATION_AFTER, OptionValues.SHORTEST_STARVATION_NANOS),
                values.relief(),
                values.isReliefWhenStuck(),
                values.onOff(Option.HISTOGRAM),
                values.packages(Option.APP),
                values.period(Option.DELAY_PROBE),
                values.otlp(),
                values.onOff(Option.JFR_EVENTS),
                values.isAppRegistryWithSites() || values.onOff(Option.APP_REGISTRY),
                values.isAppRegistryWithSites(),
                values.tags(),
                values.level(),
                sources.warnings(),
                sources);
    }
}
