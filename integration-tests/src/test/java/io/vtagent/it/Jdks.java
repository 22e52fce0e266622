package io.vtagent.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The JDKs of this machine, as the script {@code ./jdk} finds them. One that is required and
 * missing fails every test that asks for it.
 */
final class Jdks {
    /** The oldest with virtual threads, where monitors pin, and the one where they do not. */
    private static final List<Integer> REQUIRED = List.of(21, 25);

    private Jdks() {}

    /**
     * Every JDK from 21 up, for tests of what is the same on all of them; or those that the
     * property {@code it.jdks} names, as feature versions with a comma between them.
     */
    static List<Jdk> all() {
        String named = System.getProperty("it.jdks", "");
        if (!named.isEmpty()) {
            return Stream.of(named.split(","))
                    .map(feature -> required(Integer.parseInt(feature)))
                    .toList();
        }
        Map<Integer, Path> homes = new TreeMap<>();
        for (int feature : REQUIRED) {
            homes.put(feature, Path.of(ask(Integer.toString(feature))));
        }
        for (String line : ask("all").lines().toList()) {
            int space = line.indexOf(' ');
            homes.putIfAbsent(
                    Integer.parseInt(line.substring(0, space)), Path.of(line.substring(space + 1)));
        }
        List<Jdk> jdks = new ArrayList<>();
        homes.forEach((feature, home) -> jdks.add(new Jdk(feature, home)));
        return jdks;
    }

    static List<Jdk> whereMonitorsPin() {
        return those(Jdk::monitorsPin);
    }

    static List<Jdk> whereMonitorsDoNotPin() {
        return those(jdk -> !jdk.monitorsPin());
    }

    /** Those that have {@code -XX:LockingMode=1}, though monitors do not pin by default. */
    static List<Jdk> withLockingModes() {
        return those(jdk -> !jdk.monitorsPin() && jdk.feature() <= 25);
    }

    /**
     * Returns the JDKs where a thread that waits for another thread's class initializer holds a
     * carrier, however it came there.
     */
    static List<Jdk> whereWaitingForInitializersHolds() {
        return those(jdk -> !jdk.unmountsWaitersForInitializers());
    }

    static List<Jdk> withAotCaches() {
        return those(Jdk::hasAotCaches);
    }

    private static List<Jdk> those(Predicate<Jdk> wanted) {
        return all().stream().filter(wanted).toList();
    }

    static Jdk jdk21() {
        return required(21);
    }

    static Jdk jdk25() {
        return required(25);
    }

    /** That update, such as {@code 21.0.4}, which {@code ./jdk} fetches. */
    static Jdk update(String version, int feature) {
        return new Jdk(feature, Path.of(ask(version)));
    }

    private static Jdk required(int feature) {
        return new Jdk(feature, Path.of(ask(Integer.toString(feature))));
    }

    /**
     * Returns what {@code ./jdk argument} prints; the script itself prints what to do when there is
     * none.
     */
    private static String ask(String argument) {
        return RootScript.ask("jdk", argument);
    }
}
