package io.vtagent.options;

import java.util.Locale;

/** The options, in the order of the documentation. */
public enum Option {
    /**
     * Port of the HTTP endpoint. Default {@code 21491}; {@code 0} is any free port, {@code off} is
     * no endpoint.
     */
    PORT("port", "21491", "a port from 0 to 65535, or off"),
    /** Address that the endpoint binds to. Default {@code 127.0.0.1}. */
    BIND("bind", "127.0.0.1", "an address or a host name of this machine"),
    /**
     * Bearer token that the endpoint requires, or a file whose first line is the token. Default
     * none.
     */
    TOKEN(
            "token",
            "",
            "letters, digits and -._~+/= without / or . at the beginning, or a readable file with"
                    + " such a token in its first line"),
    /**
     * Destination of the report at exit. Default {@code stderr}; {@code %p} in a file name is the
     * process id.
     */
    REPORT("report", "stderr", "off, stderr, stdout, or a file that ends in .txt, .json or .html"),
    /**
     * Whether the sites with their stacks follow the summary in the text at exit. Default {@code
     * on}.
     */
    REPORT_STACKS("report-stacks", "on", "on or off"),
    /** Shortest pin whose stack is walked. Default {@code 1ms}. */
    STACK_THRESHOLD("stack-threshold", "1ms", "a duration from 0 to 1h such as 500us, 1ms or 2s"),
    /** Maximum number of frames of a stack. Default {@code 64}. */
    STACK_DEPTH("stack-depth", "64", "a number from 1 to 1024"),
    /** Maximum number of sites; further sites share {@code (other)}. Default {@code 200}. */
    MAX_SITES("max-sites", "200", "a number from 1 to 10000"),
    /** Whether {@code synchronized} is wrapped in application classes. Default {@code on}. */
    SYNCHRONIZED("synchronized", "on", "on or off"),
    /** Packages whose {@code synchronized} is wrapped. Default all. */
    INCLUDE("include", "", "package prefixes separated by ;"),
    /** Packages whose {@code synchronized} is not wrapped. Default none. */
    EXCLUDE("exclude", "", "package prefixes separated by ;"),
    /**
     * Whether the JVM's JFR events are used, for pins that bytecode cannot observe. Default {@code
     * auto}: once the sampler has found enough of them.
     */
    VM_EVENTS("vm-events", "auto", "auto, on or off"),
    /** Sampling interval of the carriers. Default {@code 10ms}; {@code off} for no sampler. */
    SAMPLE_INTERVAL(
            "sample-interval", "10ms", "off, or a duration from 1ms to 1h such as 10ms or 1s"),
    /** How long all carriers are held, with work queued, before a diagnosis. Default {@code 5s}. */
    STARVATION_AFTER("starvation-after", "5s", "a duration from 100ms to 1h such as 500ms or 5s"),
    /**
     * Whether held carriers are compensated. Default {@code off}; {@code on}, the maximum number of
     * carriers to add, or {@code stuck}.
     */
    RELIEF("relief", "off", "off, on, stuck, or a number from 1 to 32767"),
    /**
     * Whether {@code vthread.pinned} and {@code vthread.scheduler.delay} have histogram buckets.
     * Default {@code off}.
     */
    HISTOGRAM("histogram", "off", "on or off"),
    /**
     * Packages of the user's own code, to which the {@code caller} belongs. Default none:
     * everything except the JDK.
     */
    APP("app", "", "package prefixes separated by ;"),
    /**
     * Time after which a virtual thread that computes without unmounting is busy. Default {@code
     * 10ms}; {@code off} for no busy carriers.
     */
    BUSY("busy", "10ms", "off, or a duration from 1ms to 1h such as 10ms or 1s"),
    /**
     * Period of the probe behind {@code vthread.scheduler.delay}. Default {@code 100ms}; {@code
     * off} for none.
     */
    DELAY_PROBE("delay-probe", "100ms", "off, or a duration from 1ms to 1h such as 100ms or 1s"),
    /** URL of an OTLP receiver, to which metrics are pushed. Default {@code off}. */
    OTLP(
            "otlp",
            "off",
            "off, or an http or https URL without a user name, such as http://localhost:4318"),
    /**
     * Whether pins become events {@code io.vtagent.Pin} in the JFR recordings that others start.
     * Default {@code off}.
     */
    JFR_EVENTS("jfr-events", "off", "on or off"),
    /**
     * Shortest pin that is logged, with its thread and stack, one line each. Default {@code off}.
     */
    LOG_PINS("log-pins", "off", "off, or a duration from 1ms to 1h such as 100ms or 1s"),
    /** Keys of the mapped diagnostic context that {@code log-pins} prints. Default none. */
    CONTEXT("context", "", "keys of the MDC separated by ;"),
    /**
     * Shortest pin that becomes an event of the current span, if OpenTelemetry's agent has started
     * this one. Default {@code off}.
     */
    OTEL_SPAN_EVENTS("otel-span-events", "off", "off, or a duration from 1ms to 1h such as 20ms"),
    /**
     * Whether meters are added to the application's Micrometer registry. Default {@code on},
     * without the sites; {@code sites} adds them.
     */
    APP_REGISTRY("app-registry", "on", "on, sites or off"),
    /** Tags of every meter. Default none. */
    TAGS("tags", "", "key:value pairs separated by ;"),
    /** Level of the log on stderr. Default {@code info}. */
    LOG("log", "info", "off, error, info or debug"),
    /** File with further options. Default none. */
    CONFIG("config", "", "a readable file of at most 1 MiB in the format of Java properties");

    private final String key;
    private final String defaultValue;
    private final String expected;

    Option(String key, String defaultValue, String expected) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.expected = expected;
    }

    /** Returns whether the option may change while the agent runs. */
    public boolean mayChange() {
        return switch (this) {
            case PORT,
                    BIND,
                    TOKEN,
                    REPORT,
                    REPORT_STACKS,
                    STACK_THRESHOLD,
                    STARVATION_AFTER,
                    RELIEF,
                    OTLP,
                    JFR_EVENTS,
                    LOG_PINS,
                    CONTEXT,
                    OTEL_SPAN_EVENTS,
                    APP_REGISTRY,
                    LOG ->
                    true;
            default -> false;
        };
    }

    /** Returns the name in the agent's arguments and in a file. */
    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    /** Returns the allowed values, as they follow "expected" in a message. */
    public String expected() {
        return expected;
    }

    String property() {
        return OptionSources.PROPERTY_PREFIX + key;
    }

    String variable() {
        return OptionSources.VARIABLE_PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
