package io.vtagent;

/** The commands that an attaching process sends to a running agent in place of options. */
final class Command {
    static final String DETACH = "detach";

    /** The prefix of changed options. */
    static final String SET = "set,";

    private Command() {}

    static boolean isOne(String arguments) {
        return arguments.strip().equals(DETACH) || arguments.startsWith(SET);
    }
}
