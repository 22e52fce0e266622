package io.vtagent.report;

/**
 * A frame of a stack.
 *
 * @param module empty if it is in no named one
 * @param className without the number of a hidden class, which differs between JVMs
 * @param line with its colon; empty if it is not known
 */
record Frame(String module, String className, String method, String line) {

    /**
     * @param text in the form of {@link StackTraceElement}: {@code
     *     loader/module@version/class.method(file:line)}
     */
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

    /**
     * Returns the module of {@code loader/module@version}, of {@code loader/}, or of {@code
     * module@version}.
     */
    private static String module(String origin) {
        String module = origin.substring(origin.lastIndexOf('/') + 1);
        int version = module.indexOf('@');
        return version < 0 ? module : module.substring(0, version);
    }

    /** Returns the line of {@code (file:line)}, with its colon. */
    private static String line(String place) {
        int colon = place.lastIndexOf(':');
        return colon < 0 ? "" : place.substring(colon, place.length() - 1);
    }
}
