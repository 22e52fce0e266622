package io.vtagent.options;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gathers the options from the arguments, the system properties, the environment and a file; the first that names one wins. */
final class OptionSources {
    static final String PROPERTY_PREFIX = "vtagent.";
    static final String VARIABLE_PREFIX = "VTAGENT_";

    /** Variables of the project's own scripts ({@code VTAGENT_JDK_21}), which are no options. */
    private static final String SCRIPT_VARIABLE_PREFIX = VARIABLE_PREFIX + "JDK_";

    /** A value, and where it stands for messages. */
    record Given(String value, String source) {}

    private final Map<Option, Given> given = new LinkedHashMap<>();

    private OptionSources() {}

    static Map<Option, Given> read(@Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        OptionSources sources = new OptionSources();
        sources.addArguments(arguments == null ? "" : arguments);
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PROPERTY_PREFIX)) {
                sources.add(name, properties.getProperty(name), Option::property, "the system properties");
            }
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(VARIABLE_PREFIX) && !name.startsWith(SCRIPT_VARIABLE_PREFIX)) {
                sources.add(name, variable.getValue(), Option::variable, "the environment");
            }
        }
        Given config = sources.given.get(Option.CONFIG);
        if (config != null) {
            sources.addFile(config);
        }
        return sources.given;
    }

    private void addArguments(String arguments) throws BadOptionException {
        for (String argument : arguments.split(",", -1)) {
            if (argument.isBlank()) {
                continue;
            }
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new BadOptionException("argument \"" + argument.strip() + "\" has no value, expected key=value");
            }
            add(
                    argument.substring(0, equals).strip(),
                    argument.substring(equals + 1),
                    Option::key,
                    "the agent's arguments");
        }
    }

    private void addFile(Given config) throws BadOptionException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(config.value), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new BadOptionException("option \"config\" of " + config.source + " names \"" + config.value
                    + "\", which cannot be read (" + unreadable + "), expected " + Option.CONFIG.expected());
        }
        for (String name : properties.stringPropertyNames()) {
            add(name, properties.getProperty(name), Option::key, "the file " + config.value);
        }
    }

    private void add(String name, String value, Function<Option, String> naming, String source)
            throws BadOptionException {
        for (Option option : Option.values()) {
            if (naming.apply(option).equals(name)) {
                given.putIfAbsent(option, new Given(value.strip(), source));
                return;
            }
        }
        StringBuilder names = new StringBuilder();
        for (Option option : Option.values()) {
            names.append(names.isEmpty() ? "" : ", ").append(naming.apply(option));
        }
        throw new BadOptionException("unknown option \"" + name + "\" (value \"" + value + "\") in " + source
                + ", expected one of " + names);
    }
}
