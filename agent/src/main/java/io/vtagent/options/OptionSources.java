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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The options as given in the arguments, the system properties, the environment and a file. If
 * several of them set an option, the first one in this order wins.
 */
public final class OptionSources {
    static final String PROPERTY_PREFIX = "vtagent.";
    static final String VARIABLE_PREFIX = "VTAGENT_";

    /**
     * Prefix of the variables of the project's own scripts, such as {@code VTAGENT_JDK_21}, which
     * are not options.
     */
    private static final String SCRIPT_VARIABLE_PREFIX = VARIABLE_PREFIX + "JDK_";

    private static final String OLD_SAMPLE_INTERVAL = "native-sample";
    private static final int MAX_NAMED = 10;
    private static final long MAX_FILE_BYTES = 1 << 20;

    /** A value, and its source for messages. */
    record Given(String value, String source) {}

    /** The form of an option's name in a source. */
    private enum Naming {
        KEY,
        PROPERTY,
        VARIABLE;

        String nameOf(Option option) {
            return this == KEY
                    ? option.key()
                    : this == PROPERTY ? option.property() : option.variable();
        }
    }

    private final Map<Option, Given> given = new LinkedHashMap<>();
    private final SortedSet<String> foreignVariables = new TreeSet<>();

    private OptionSources() {}

    static OptionSources read(
            @Nullable String arguments, Properties properties, Map<String, String> environment)
            throws BadOptionException {
        OptionSources sources = new OptionSources();
        sources.addArguments(arguments == null ? "" : arguments);
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PROPERTY_PREFIX)) {
                sources.addKnown(
                        name,
                        properties.getProperty(name),
                        Naming.PROPERTY,
                        "the system properties");
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
     * Returns these options with {@code changes} applied.
     *
     * @throws BadOptionException if a changed option cannot change while the agent runs
     */
    OptionSources changed(OptionSources changes) throws BadOptionException {
        OptionSources changed = new OptionSources();
        changed.given.putAll(given);
        for (Map.Entry<Option, Given> change : changes.given.entrySet()) {
            if (!change.getKey().mayChange()) {
                String names =
                        Stream.of(Option.values())
                                .filter(Option::mayChange)
                                .map(Option::key)
                                .collect(Collectors.joining(", "));
                throw new BadOptionException(
                        "option \""
                                + change.getKey().key()
                                + "\" cannot change while the agent runs, expected one of "
                                + names);
            }
            changed.given.put(change.getKey(), change.getValue());
        }
        return changed;
    }

    Map<Option, Given> given() {
        return given;
    }

    /**
     * Returns one sentence about all variables that look like options but are not. They are no
     * error, because they may have been set for something other than the agent.
     */
    List<String> warnings() {
        if (foreignVariables.isEmpty()) {
            return List.of();
        }
        int more = foreignVariables.size() - MAX_NAMED;
        String names =
                foreignVariables.stream()
                        .limit(MAX_NAMED)
                        .map(BadOptionException::quoted)
                        .collect(Collectors.joining(", "));
        return List.of(
                "the environment has "
                        + names
                        + (more > 0 ? " and " + more + " more" : "")
                        + ", which the agent does not know and ignores (Kubernetes sets such"
                        + " variables for a service named vtagent)");
    }

    private void addArguments(String arguments) throws BadOptionException {
        for (String argument : arguments.split(",", -1)) {
            if (argument.isBlank()) {
                continue;
            }
            int end = endOfKey(argument);
            if (end < 0) {
                throw new BadOptionException(
                        "argument "
                                + BadOptionException.quoted(argument.strip())
                                + " has no value, expected key=value or key:value; semicolons"
                                + " separate the parts of one value (jcmd drops the text"
                                + " after a =, unless it is quoted twice: jcmd PID"
                                + " JVMTI.agent_load vt-agent.jar"
                                + " '\"port=0,report=off\"')");
            }
            addKnown(
                    argument.substring(0, end).strip(),
                    argument.substring(end + 1),
                    Naming.KEY,
                    "the agent's arguments");
        }
    }

    /**
     * Returns the index of the first {@code =} or {@code :}, or -1 if there is none. The colon is
     * allowed because {@code jcmd} ends an argument at {@code =}.
     */
    private static int endOfKey(String argument) {
        int equals = argument.indexOf('=');
        int colon = argument.indexOf(':');
        return equals < 0 || (colon >= 0 && colon < equals) ? colon : equals;
    }

    private void addVariable(String name, String value) {
        // Kubernetes sets VTAGENT_PORT=tcp://10.0.0.1:80 for a service named vtagent
        boolean foreign = name.equals(Option.PORT.variable()) && value.contains("://");
        if (foreign || !add(name, value, Naming.VARIABLE, "the environment")) {
            foreignVariables.add(name);
        }
    }

    private void addFile(Given config) throws BadOptionException {
        Properties properties = new Properties();
        try (Reader reader = reader(Path.of(config.value))) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new BadOptionException(
                    "option \"config\" of "
                            + config.source
                            + " names "
                            + BadOptionException.quoted(config.value)
                            + ", which cannot be read ("
                            + BadOptionException.unquoted(unreadable.toString())
                            + "), expected "
                            + Option.CONFIG.expected());
        }
        for (String name : properties.stringPropertyNames()) {
            addKnown(
                    name,
                    properties.getProperty(name),
                    Naming.KEY,
                    "the file " + BadOptionException.unquoted(config.value));
        }
    }

    /**
     * Opens a regular file of limited size, because a pipe or a device could block the application
     * for ever or fill its memory.
     */
    private static Reader reader(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("it is not a file");
        }
        if (Files.size(file) > MAX_FILE_BYTES) {
            throw new IOException("it has more than " + MAX_FILE_BYTES + " bytes");
        }
        return Files.newBufferedReader(file, StandardCharsets.UTF_8);
    }

    private void addKnown(String name, String value, Naming naming, String source)
            throws BadOptionException {
        if (!add(name, value, naming, source)) {
            if (name.equals(OLD_SAMPLE_INTERVAL)) {
                throw new BadOptionException(
                        "option "
                                + BadOptionException.quoted(name)
                                + " in "
                                + source
                                + " has a new name, expected \""
                                + naming.nameOf(Option.SAMPLE_INTERVAL)
                                + "\"");
            }
            String names =
                    Stream.of(Option.values())
                            .map(naming::nameOf)
                            .collect(Collectors.joining(", "));
            // the message omits the value, which may be a token under a misspelt name
            throw new BadOptionException(
                    "unknown option "
                            + BadOptionException.quoted(name)
                            + " in "
                            + source
                            + ", expected one of "
                            + names);
        }
    }

    /** Returns false if there is no such option. */
    private boolean add(String name, String value, Naming naming, String source) {
        for (Option option : Option.values()) {
            if (naming.nameOf(option).equals(name)) {
                given.putIfAbsent(option, new Given(value.strip(), source));
                return true;
            }
        }
        return false;
    }
}
