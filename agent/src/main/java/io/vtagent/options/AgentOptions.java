package io.vtagent.options;

import io.vtagent.log.AgentLog;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options in the form that the agent uses.
 *
 * @param port the port of the endpoint, 0 for any free one; empty for no endpoint
 * @param portAsked whether the port was set, even if to its default
 * @param bind the address of the endpoint
 * @param token the token that the endpoint requires, null for none
 * @param report where the report goes at exit
 * @param reportStacks whether the report as text has the sites with their stacks
 * @param stackThresholdNanos the shortest pin whose stack is walked
 * @param stackDepth the maximum number of frames of a stack
 * @param maxSites the maximum number of sites
 * @param wrapSynchronized whether {@code synchronized} of application classes is wrapped
 * @param include prefixes of class names to wrap; none stands for all
 * @param exclude prefixes of class names not to wrap
 * @param vmEvents when the JVM's JFR events are used
 * @param sampleIntervalNanos the sampling interval, 0 for no sampler
 * @param starvationAfterNanos how long all carriers are held before that is diagnosed
 * @param relief the maximum number of held carriers that are compensated at a time, 0 for none
 * @param reliefWhenStuck whether carriers are added when the scheduler is stuck
 * @param histogram whether {@code vthread.pinned} and {@code vthread.scheduler.delay} have buckets
 * @param app prefixes of the user's own packages, without a dot at the end; none stands for
 *     everything but the JDK
 * @param busyNanos the time from which on a virtual thread that computes is busy, 0 for no busy
 *     carriers
 * @param delayProbeNanos the period of the probe behind {@code vthread.scheduler.delay}, 0 for none
 * @param otlp where metrics are pushed, null for nowhere
 * @param jfrEvents whether pins become JFR events in the recordings that others start
 * @param logPinsNanos the shortest pin that is logged, 0 for none
 * @param context keys of the mapped diagnostic context that a logged pin has
 * @param otelSpanEventsNanos the shortest pin that becomes an event of a span, 0 for none
 * @param appRegistry whether meters are added to the application's Micrometer registry
 * @param appRegistrySites whether {@code vthread.pinned.site} is one of those meters
 * @param tags the tags of every meter
 * @param log the level of the log on stderr
 * @param warnings sentences about input that is ignored
 * @param sources where the options come from
 */
public record AgentOptions(
        OptionalInt port,
        boolean portAsked,
        BindAddress bind,
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
        long sampleIntervalNanos,
        long starvationAfterNanos,
        int relief,
        boolean reliefWhenStuck,
        boolean histogram,
        List<String> app,
        long busyNanos,
        long delayProbeNanos,
        @Nullable OtlpUrl otlp,
        boolean jfrEvents,
        long logPinsNanos,
        List<String> context,
        long otelSpanEventsNanos,
        boolean appRegistry,
        boolean appRegistrySites,
        Map<String, String> tags,
        AgentLog.Level log,
        List<String> warnings,
        OptionSources sources) {

    /** The conditions under which the JVM's JFR events are used. */
    public enum VmEventsMode {
        OFF,
        /** Once the sampler has found enough pins that the events would time exactly. */
        AUTO,
        /** Starting with the first virtual thread. */
        ON
    }

    /**
     * Reads the options from all sources.
     *
     * @param arguments {@code key=value,key=value}, or null
     * @throws BadOptionException if a source names an unknown option or a value is not allowed
     */
    public static AgentOptions parse(
            @Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        return of(OptionSources.read(arguments, properties, environment));
    }

    /**
     * Returns these options with {@code changes} applied.
     *
     * @param changes {@code key=value,key=value}
     * @throws BadOptionException if they name an unknown option, or one that cannot change while
     *     the agent runs, or a value is not allowed
     */
    public AgentOptions changed(String changes) throws BadOptionException {
        return of(sources.changed(OptionSources.read(changes, new Properties(), Map.of())));
    }

    /** Returns {@code arguments} without the token, for messages. */
    public static String withoutToken(String arguments) {
        return Pattern.compile("((?:^|,)\\s*" + Option.TOKEN.key() + "\\s*[=:])[^,]*")
                .matcher(arguments)
                .replaceAll("$1...");
    }

    private static AgentOptions of(OptionSources sources) throws BadOptionException {
        OptionValues values = new OptionValues(sources.given());
        return new AgentOptions(
                values.port(),
                values.given().containsKey(Option.PORT),
                values.bind(),
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
                values.period(Option.SAMPLE_INTERVAL),
                values.duration(Option.STARVATION_AFTER, OptionValues.MIN_STARVATION_NANOS),
                values.relief(),
                values.isReliefWhenStuck(),
                values.onOff(Option.HISTOGRAM),
                values.packages(Option.APP),
                values.period(Option.BUSY),
                values.period(Option.DELAY_PROBE),
                values.otlp(),
                values.onOff(Option.JFR_EVENTS),
                values.period(Option.LOG_PINS),
                values.keys(Option.CONTEXT),
                values.period(Option.OTEL_SPAN_EVENTS),
                values.isAppRegistryWithSites() || values.onOff(Option.APP_REGISTRY),
                values.isAppRegistryWithSites(),
                values.tags(),
                values.level(),
                sources.warnings(),
                sources);
    }
}
