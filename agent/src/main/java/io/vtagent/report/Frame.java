package io.vtagent.report;

/**
 * A frame of a stack.
 *
 * @param module empty if it is in none that has a name
 * @param className without the number of a hidden class, which another JVM does not know
 * @param line with its colon; empty if it is not known
 */
record Frame(String module, String className, String method, String line) {

    /** @param text as {@link StackTraceElement} prints it: {@code loader/module@version/class.method(file:line)} */
    static Frame of(String text) {
        int file = text.indexOf('(');
        int end = file < 0 ? text.length() : file;
        int dot = text.lastIndexOf('.', end - 1);
        String owner = text.substring(0, Math.max(dot, 0));
        int hidden = owner.lastIndexOf("/0x");
        String named = hidden < 0 ? owner : owner.substring(0, hidden);
        int className = named.lastIndexOf('/') + 1;
        return new Frame(
                module(named.substring(0, Math.max(className - 1, 0))),
                named.substring(className),
                text.substring(dot + 1, end),
                line(text.substring(end)));
    }

    /** Of {@code loader/module@version}, or of {@code loader/}, or of {@code module@version}. */
    private static String module(String origin) {
        String module = origin.substring(origin.lastIndexOf('/') + 1);
        int version = module.indexOf('@');
        return version < 0 ? module : module.substring(0, version);
    }

    /** Of {@code (file:line)}. */
    private static String line(String place) {
        int colon = place.lastIndexOf(':');
        return colon < 0 ? "" : place.substring(colon, place.length() - 1);
    }
}
