package io.vtagent.cli;

import io.vtagent.record.PinSite;
import java.util.regex.Pattern;

/** Sites by name: for people, and as they would be recognized after an edit elsewhere in the same file. */
final class SiteName {
    private static final Pattern LINE = Pattern.compile(":(\\d+|\\?)$");
    private static final Pattern LAMBDA = Pattern.compile("(lambda\\$.*)\\$\\d+");

    private SiteName() {}

    /** The caller, which the user can change, and the site if that is another. */
    static String of(PinSite site) {
        return site.caller().equals(site.site()) ? site.caller() : site.caller() + ", in " + site.site();
    }

    /** Without what an edit elsewhere in the file changes: the line, and the number of a lambda. */
    static PinSite withoutLines(PinSite site) {
        return new PinSite(method(site.site()), method(site.caller()), site.operation(), site.kind());
    }

    private static String method(String name) {
        return LAMBDA.matcher(LINE.matcher(name).replaceFirst("")).replaceFirst("$1");
    }

    /** Whether the site or its caller is {@code prefix}, or a line, a method, a nested class or a class in what that names. */
    static boolean hasPrefix(PinSite site, String prefix) {
        return hasPrefix(site.site(), prefix) || hasPrefix(site.caller(), prefix);
    }

    /** As the options {@code app} and {@code include}: a prefix ends where a name does. */
    private static boolean hasPrefix(String name, String prefix) {
        if (!name.startsWith(prefix)) {
            return false;
        }
        return name.length() == prefix.length() || ".:$".indexOf(name.charAt(prefix.length())) >= 0;
    }
}
