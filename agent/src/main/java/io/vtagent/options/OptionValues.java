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
import org.jspecify.annotations.Nullable;

/** The converted values of the options, given or default. */
record OptionValues(Map<Option, OptionSources.Given> given) {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    /** The maximum number of carriers of the scheduler, which is a {@code ForkJoinPool}. */
    private static final int MAX_CARRIERS = 32_767;

    /** A value of the option {@code relief}. */
    private static final String WHEN_STUCK = "stuck";

    private static final int MAX_HOST = 255;
    private static final long MIN_PERIOD_NANOS = 1_000_000;
    static final long MIN_STARVATION_NANOS = 100_000_000;

    OptionSources.Given value(Option option) {
        OptionSources.Given value = given.get(option);
        return value == null
                ? new OptionSources.Given(option.defaultValue(), "the defaults")
                : value;
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

    BindAddress bind() throws BadOptionException {
        String host = value(Option.BIND).value();
        if (host.equals(Option.BIND.defaultValue())) {
            return BindAddress.DEFAULT;
        }
        try {
            if (isHost(host)) {
                return BindAddress.of(InetAddress.getByName(host));
            }
        } catch (UnknownHostException | IllegalArgumentException unknown) {
            // reported below
        }
        throw bad(Option.BIND);
    }

    /**
     * Returns the token, or null if the option is not set. An empty value, such as an unset
     * variable leaves, is refused: it must not open the endpoint to everybody.
     */
    @Nullable Token token() throws BadOptionException {
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

    /**
     * Returns the receiver. A wrong value does not appear in the message, because it may contain a
     * key.
     */
    @Nullable OtlpUrl otlp() throws BadOptionException {
        OptionSources.Given value = given.get(Option.OTLP);
        if (value == null || value.value().equals("off")) {
            return null;
        }
        OtlpUrl url = OtlpUrl.of(value.value());
        if (url == null) {
            throw BadOptionException.secret(Option.OTLP, value.source());
        }
        return url;
    }

    /**
     * Returns whether {@code host} can be a name or an address. No other text may reach the
     * resolver, which would make the application wait for a name server.
     */
    private static boolean isHost(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            if (!(c < 128 && Character.isLetterOrDigit(c)) && "._-:%[]".indexOf(c) < 0) {
                return false;
            }
        }
        return !host.isEmpty() && host.length() <= MAX_HOST;
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
            // reported below
        }
        throw bad(option);
    }

    /** Returns a duration of at most an hour. */
    long duration(Option option, long leastNanos) throws BadOptionException {
        long nanos = Durations.parse(value(option).value());
        if (nanos < leastNanos || nanos > HOUR_NANOS) {
            throw bad(option);
        }
        return nanos;
    }

    /** Returns a period, or 0 for off. */
    long period(Option option) throws BadOptionException {
        return value(option).value().equals("off") ? 0 : duration(option, MIN_PERIOD_NANOS);
    }

    boolean onOff(Option option) throws BadOptionException {
        return switch (value(option).value()) {
            case "on" -> true;
            case "off" -> false;
            default -> throw bad(option);
        };
    }

    AgentOptions.VmEventsMode vmEvents() throws BadOptionException {
        return value(Option.VM_EVENTS).value().equals("auto")
                ? AgentOptions.VmEventsMode.AUTO
                : onOff(Option.VM_EVENTS)
                        ? AgentOptions.VmEventsMode.ON
                        : AgentOptions.VmEventsMode.OFF;
    }

    int relief() throws BadOptionException {
        return switch (value(Option.RELIEF).value()) {
            case "off", WHEN_STUCK -> 0;
            case "on" -> MAX_CARRIERS;
            default -> number(Option.RELIEF, 1, MAX_CARRIERS);
        };
    }

    boolean isReliefWhenStuck() {
        return value(Option.RELIEF).value().equals(WHEN_STUCK);
    }

    boolean isAppRegistryWithSites() {
        return value(Option.APP_REGISTRY).value().equals("sites");
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

    /** Returns {@link #prefixes} without the dots at their ends. */
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

    /** Returns the parts of a list, which must be printable. */
    List<String> keys(Option option) throws BadOptionException {
        List<String> keys = new ArrayList<>();
        for (String part : value(option).value().split(";", -1)) {
            String key = part.strip();
            for (int i = 0; i < key.length(); i++) {
                if (Character.isISOControl(key.charAt(i))) {
                    throw bad(option);
                }
            }
            if (!key.isEmpty()) {
                keys.add(key);
            }
        }
        return List.copyOf(keys);
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
            tags.put(pair.substring(0, colon).strip(), pair.substring(colon + 1).strip());
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
