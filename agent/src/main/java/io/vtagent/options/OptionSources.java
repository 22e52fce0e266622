package io.vtagent.options;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gathers the options from the arguments, the system properties, the environment and a file; the first that names one wins. */
public final class OptionSources {
    static final String PROPERTY_PREFIX = "vtagent.";
    static final String VARIABLE_PREFIX = "VTAGENT_";

    /** Variables of the project's own scripts ({@code VTAGENT_JDK_21}), which are no options. */
    private static final String SCRIPT_VARIABLE_PREFIX = VARIABLE_PREFIX + "JDK_";

    private static final int MOST_NAMED = 10;
    private static final long LARGEST_FILE_BYTES = 1 << 20;

    /** A value, and where it stands for messages. */
    record Given(String value, String source) {}

    private final Map<Option, Given> given = new LinkedHashMap<>();
    private final SortedSet<String> foreignVariables = new TreeSet<>();

    private OptionSources() {}

    static OptionSources read(@Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        OptionSources sources = new OptionSources();
        sources.addArguments(arguments == null ? "" : arguments);
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PROPERTY_PREFIX)) {
                sources.addKnown(name, properties.getProperty(name), Option::property, "the system properties");
            }
        }
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(VARIABLE_PREFIX) && !name.startsWith(SCRIPT_VARIABLE_PREFIX)) {
                sources.addVariable(name, variable.getValue());
            }
        }
        Given config = sources.given.get(Option.CONFIG);
        if (config != null) {
            sources.addFile(config);
        }
        return sources;
    }

    /**
     * These, but for what {@code changes} have.
     *
     * @throws BadOptionException if one of those cannot change while the agent runs
     */
    OptionSources changed(OptionSources changes) throws BadOptionException {
        OptionSources changed = new OptionSources();
        changed.given.putAll(given);
        for (Map.Entry<Option, Given> change : changes.given.entrySet()) {
            if (!change.getKey().mayChange()) {
                String names = Stream.of(Option.values())
                        .filter(Option::mayChange)
                        .map(Option::key)
                        .collect(Collectors.joining(", "));
                throw new BadOptionException("option \"" + change.getKey().key()
                        + "\" cannot change while the agent runs, expected one of " + names);
            }
            changed.given.put(change.getKey(), change.getValue());
        }
        return changed;
    }

    Map<Option, Given> given() {
        return given;
    }

    /** A sentence for all variables that look like options and are none: whoever set them may not know of the agent. */
    List<String> warnings() {
        if (foreignVariables.isEmpty()) {
            return List.of();
        }
        int more = foreignVariables.size() - MOST_NAMED;
        String names = foreignVariables.stream()
                .limit(MOST_NAMED)
                .map(BadOptionException::quoted)
                .collect(Collectors.joining(", "));
        return List.of("the environment has " + names + (more > 0 ? " and " + more + " more" : "")
                + ", which the agent does not know and ignores (Kubernetes sets such variables for a service named"
                + " vtagent)");
    }

    private void addArguments(String arguments) throws BadOptionException {
        for (String argument : arguments.split(",", -1)) {
            if (argument.isBlank()) {
                continue;
            }
            int end = endOfKey(argument);
            if (end < 0) {
                throw new BadOptionException("argument " + BadOptionException.quoted(argument.strip())
                        + " has no value, expected key=value or key:value; the parts of one value are separated by semicolons"
                        + " (jcmd takes what follows a = away, unless"
                        + " quoted twice: jcmd PID JVMTI.agent_load vt-agent.jar '\"port=0,report=off\"')");
            }
            addKnown(
                    argument.substring(0, end).strip(),
                    argument.substring(end + 1),
                    Option::key,
                    "the agent's arguments");
        }
    }

    /** At the first {@code =} or {@code :}, for {@code jcmd} ends an argument at a {@code =}; -1 without. */
    private static int endOfKey(String argument) {
        int equals = argument.indexOf('=');
        int colon = argument.indexOf(':');
        return equals < 0 || (colon >= 0 && colon < equals) ? colon : equals;
    }

    private void addVariable(String name, String value) {
        // Kubernetes sets VTAGENT_PORT=tcp://10.0.0.1:80 for a service named vtagent
        boolean foreign = name.equals(Option.PORT.variable()) && value.contains("://");
        if (foreign || !add(name, value, Option::variable, "the environment")) {
            foreignVariables.add(name);
        }
    }

    private void addFile(Given config) throws BadOptionException {
        Properties properties = new Properties();
        try (Reader reader = reader(Path.of(config.value))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new BadOptionException("option \"config\" of " + config.source + " names "
                    + BadOptionException.quoted(config.value) + ", which cannot be read ("
                    + BadOptionException.unquoted(unreadable.toString()) + "), expected " + Option.CONFIG.expected());
        }
        for (String name : properties.stringPropertyNames()) {
            addKnown(
                    name,
                    properties.getProperty(name),
                    Option::key,
                    "the file " + BadOptionException.unquoted(config.value));
        }
    }

    /** A pipe or a device could keep the application waiting for ever, or fill its memory. */
    private static Reader reader(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("it is not a file");
        }
        if (Files.size(file) > LARGEST_FILE_BYTES) {
            throw new IOException("it has more than " + LARGEST_FILE_BYTES + " bytes");
        }
        return Files.newBufferedReader(file, StandardCharsets.UTF_8);
    }

    private void addKnown(String name, String value, Function<Option, String> naming, String source)
            throws BadOptionException {
        if (!add(name, value, naming, source)) {
            String names = Stream.of(Option.values()).map(naming).collect(Collectors.joining(", "));
            // without its value, which may be a token under a misspelt name
            throw new BadOptionException("unknown option " + BadOptionException.quoted(name) + " in " + source
                    + ", expected one of " + names);
        }
    }

    /** False if there is no such option. */
    private boolean add(String name, String value, Function<Option, String> naming, String source) {
        for (Option option : Option.values()) {
            if (naming.apply(option).equals(name)) {
                given.putIfAbsent(option, new Given(value.strip(), source));
                return true;
            }
        }
        return false;
    }
}
