package io.vtagent.options;

import io.vtagent.log.AgentLog;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
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
 * @param tags the tags of every meter
 * @param log what is printed to stderr
 * @param warnings a sentence each for what was given and is ignored
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
        Map<String, String> tags,
        AgentLog.Level log,
        List<String> warnings) {

    /** When the JVM's own events are taken. */
    public enum VmEventsMode {
        OFF,
        /** When the looks at the carriers have seen enough of what they would tell. */
        AUTO,
        /** From the first virtual thread on. */
        ON
    }

    private static final long HOUR_NANOS = 3_600_000_000_000L;
    /** What the scheduler of virtual threads, a {@code ForkJoinPool}, can have. */
    private static final int MOST_CARRIERS = 32_767;

    /** Of the option relief. */
    private static final String WHEN_STUCK = "stuck";

    private static final int LONGEST_HOST = 255;
    private static final long SHORTEST_PERIOD_NANOS = 1_000_000;
    private static final long SHORTEST_STARVATION_NANOS = 100_000_000;

    /**
     * @param arguments {@code key=value,key=value}, or null
     * @throws BadOptionException if a source names an unknown option or a value is not allowed
     */
    public static AgentOptions parse(@Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        OptionSources sources = OptionSources.read(arguments, properties, environment);
        Values values = new Values(sources.given());
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
                values.duration(Option.STARVATION_AFTER, SHORTEST_STARVATION_NANOS),
                values.relief(),
                values.isReliefWhenStuck(),
                values.onOff(Option.HISTOGRAM),
                values.packages(Option.APP),
                values.period(Option.DELAY_PROBE),
                values.tags(),
                values.level(),
                sources.warnings());
    }

    /** The values that were given, or the defaults, converted. */
    private record Values(Map<Option, OptionSources.Given> given) {

        OptionSources.Given value(Option option) {
            OptionSources.Given value = given.get(option);
            return value == null ? new OptionSources.Given(option.defaultValue(), "the defaults") : value;
        }

        BadOptionException bad(Option option) {
            OptionSources.Given value = value(option);
            return BadOptionException.value(option, value.value(), value.source());
        }

        OptionalInt port() throws BadOptionException {
            return value(Option.PORT).value().equals("off")
                    ? OptionalInt.empty()
                    : OptionalInt.of(number(Option.PORT, 0, 65_535));
        }

        InetAddress address() throws BadOptionException {
            String host = value(Option.BIND).value();
            try {
                if (isHost(host)) {
                    return InetAddress.getByName(host);
                }
            } catch (UnknownHostException | IllegalArgumentException unknown) {
                // said below
            }
            throw bad(Option.BIND);
        }

        /** An empty value, such as a variable that is not set leaves, must not open the endpoint to everybody. */
        @Nullable
        Token token() throws BadOptionException {
            OptionSources.Given value = given.get(Option.TOKEN);
            if (value == null) {
                return null;
            }
            Token token = Token.of(value.value());
            if (token == null) {
                throw BadOptionException.secret(Option.TOKEN, value.source());
            }
            return token;
        }

        /** Whether it can be a name or an address, so that nothing else makes the application wait for a name server. */
        private static boolean isHost(String host) {
            for (int i = 0; i < host.length(); i++) {
                char c = host.charAt(i);
                if (!(c < 128 && Character.isLetterOrDigit(c)) && "._-:%[]".indexOf(c) < 0) {
                    return false;
                }
            }
            return !host.isEmpty() && host.length() <= LONGEST_HOST;
        }

        ReportTarget report() throws BadOptionException {
            ReportTarget target = ReportTarget.of(value(Option.REPORT).value());
            if (target == null) {
                throw bad(Option.REPORT);
            }
            return target;
        }

        int number(Option option, int least, int most) throws BadOptionException {
            try {
                int number = Integer.parseInt(value(option).value());
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                // said below
            }
            throw bad(option);
        }

        /** At most an hour. */
        long duration(Option option, long leastNanos) throws BadOptionException {
            long nanos = Durations.parse(value(option).value());
            if (nanos < leastNanos || nanos > HOUR_NANOS) {
                throw bad(option);
            }
            return nanos;
        }

        /** 0 stands for off. */
        long period(Option option) throws BadOptionException {
            return value(option).value().equals("off") ? 0 : duration(option, SHORTEST_PERIOD_NANOS);
        }

        boolean onOff(Option option) throws BadOptionException {
            return switch (value(option).value()) {
                case "on" -> true;
                case "off" -> false;
                default -> throw bad(option);
            };
        }

        VmEventsMode vmEvents() throws BadOptionException {
            return value(Option.VM_EVENTS).value().equals("auto")
                    ? VmEventsMode.AUTO
                    : onOff(Option.VM_EVENTS) ? VmEventsMode.ON : VmEventsMode.OFF;
        }

        int relief() throws BadOptionException {
            return switch (value(Option.RELIEF).value()) {
                case "off", WHEN_STUCK -> 0;
                case "on" -> MOST_CARRIERS;
                default -> number(Option.RELIEF, 1, MOST_CARRIERS);
            };
        }

        boolean isReliefWhenStuck() {
            return value(Option.RELIEF).value().equals(WHEN_STUCK);
        }

        List<String> prefixes(Option option) throws BadOptionException {
            List<String> prefixes = new ArrayList<>();
            for (String prefix : value(option).value().split(";", -1)) {
                String name = prefix.strip();
                for (int i = 0; i < name.length(); i++) {
                    if (name.charAt(i) != '.' && !Character.isJavaIdentifierPart(name.charAt(i))) {
                        throw bad(option);
                    }
                }
                if (!name.isEmpty()) {
                    prefixes.add(name);
                }
            }
            return List.copyOf(prefixes);
        }

        /** As {@link #prefixes}, without dots at their ends. */
        List<String> packages(Option option) throws BadOptionException {
            List<String> packages = new ArrayList<>();
            for (String prefix : prefixes(option)) {
                String name = prefix.replaceFirst("\\.+$", "");
                if (name.isEmpty()) {
                    throw bad(option);
                }
                packages.add(name);
            }
            return List.copyOf(packages);
        }

        Map<String, String> tags() throws BadOptionException {
            Map<String, String> tags = new LinkedHashMap<>();
            for (String pair : value(Option.TAGS).value().split(";", -1)) {
                if (pair.isBlank()) {
                    continue;
                }
                int colon = pair.indexOf(':');
                if (colon < 1 || colon == pair.length() - 1) {
                    throw bad(Option.TAGS);
                }
                tags.put(
                        pair.substring(0, colon).strip(),
                        pair.substring(colon + 1).strip());
            }
            return Map.copyOf(tags);
        }

        AgentLog.Level level() throws BadOptionException {
            String name = value(Option.LOG).value();
            for (AgentLog.Level level : AgentLog.Level.values()) {
                if (level.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return level;
                }
            }
            throw bad(Option.LOG);
        }
    }
}
