package io.vtagent.options;

import java.util.Locale;

/** The options, in the order of the documentation. */
public enum Option {
    /** Port of the HTTP endpoint. Default {@code 9464}; {@code 0} is any free one, {@code off} none. */
    PORT("port", "9464", "a port from 0 to 65535, or off"),
    /** Address that the endpoint binds to. Default {@code 127.0.0.1}. */
    BIND("bind", "127.0.0.1", "an address or a host name of this machine"),
    /** What the endpoint asks for as a bearer token, or a file whose first line it is. Default none. */
    TOKEN(
            "token",
            "",
            "letters, digits and -._~+/= that begin with neither / nor ., or a readable file whose first line is such"),
    /** Where the report goes at exit. Default {@code stderr}; {@code %p} in the name of a file is the process id. */
    REPORT("report", "stderr", "off, stderr, stdout, or a file that ends in .txt, .json or .html"),
    /** Whether the sites with their stacks follow the summary in the text at exit. Default {@code on}. */
    REPORT_STACKS("report-stacks", "on", "on or off"),
    /** Shortest pin whose stack is walked. Default {@code 1ms}. */
    STACK_THRESHOLD("stack-threshold", "1ms", "a duration from 0 to 1h such as 500us, 1ms or 2s"),
    /** Frames of a stack that are kept. Default {@code 64}. */
    STACK_DEPTH("stack-depth", "64", "a number from 1 to 1024"),
    /** Sites that are kept; further ones share {@code (other)}. Default {@code 200}. */
    MAX_SITES("max-sites", "200", "a number from 1 to 10000"),
    /** Whether {@code synchronized} is wrapped in application classes. Default {@code on}. */
    SYNCHRONIZED("synchronized", "on", "on or off"),
    /** Packages whose {@code synchronized} is wrapped. Default all. */
    INCLUDE("include", "", "package prefixes separated by ;"),
    /** Packages whose {@code synchronized} is not wrapped. Default none. */
    EXCLUDE("exclude", "", "package prefixes separated by ;"),
    /** Whether the JVM's own events are taken, for what bytecode cannot see. Default {@code auto}: when there is something to tell. */
    VM_EVENTS("vm-events", "auto", "auto, on or off"),
    /** Period of the sampler for blocking native code. Default {@code 10ms}; {@code off} for none. */
    NATIVE_SAMPLE("native-sample", "10ms", "off, or a duration from 1ms to 1h such as 10ms or 1s"),
    /** All carriers held for this long with work queued are diagnosed. Default {@code 5s}. */
    STARVATION_AFTER("starvation-after", "5s", "a duration from 100ms to 1h such as 500ms or 5s"),
    /** Whether held carriers are made up for. Default {@code off}; {@code on}, the most carriers to add, or {@code stuck}. */
    RELIEF("relief", "off", "off, on, stuck, or a number from 1 to 32767"),
    /** Whether {@code vthread.pinned} and {@code vthread.scheduler.delay} have histogram buckets. Default {@code off}. */
    HISTOGRAM("histogram", "off", "on or off"),
    /** The user's own packages, one of whose lines is the {@code caller}. Default none: everything but the JDK. */
    APP("app", "", "package prefixes separated by ;"),
    /** Period of the probe behind {@code vthread.scheduler.delay}. Default {@code 100ms}; {@code off} for none. */
    DELAY_PROBE("delay-probe", "100ms", "off, or a duration from 1ms to 1h such as 100ms or 1s"),
    /** Where an OTLP receiver takes metrics, which are then pushed to it. Default {@code off}. */
    OTLP("otlp", "off", "off, or an http or https URL without a user name, such as http://localhost:4318"),
    /** Whether pins are events {@code io.vtagent.Pin} in the flight recordings that others make. Default {@code off}. */
    JFR_EVENTS("jfr-events", "off", "on or off"),
    /** Whether the application's own Micrometer registry is filled. Default {@code on}, without the sites; {@code sites} adds them. */
    APP_REGISTRY("app-registry", "on", "on, sites or off"),
    /** Tags of every meter. Default none. */
    TAGS("tags", "", "key:value pairs separated by ;"),
    /** What is printed to stderr. Default {@code info}. */
    LOG("log", "info", "off, error, info or debug"),
    /** A file with further options. Default none. */
    CONFIG("config", "", "a readable file of at most 1 MiB in the format of Java properties");

    private final String key;
    private final String defaultValue;
    private final String expected;

    Option(String key, String defaultValue, String expected) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.expected = expected;
    }

    /** Whether it may change while the agent runs. */
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
                    APP_REGISTRY,
                    LOG -> true;
            default -> false;
        };
    }

    /** The name in the agent's arguments and in a file. */
    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    /** What a value must be, to stand behind "expected". */
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
