package io.vtagent;

/** What whoever attaches says in place of options to an agent that runs. */
final class Command {
    static final String DETACH = "detach";

    /** Options follow. */
    static final String SET = "set,";

    private Command() {}

    static boolean isOne(String arguments) {
        return arguments.strip().equals(DETACH) || arguments.startsWith(SET);
    }
}
