package io.vtagent.cli;

import io.vtagent.pin.PinSite;
import java.util.regex.Pattern;

/**
 * The names of sites, as users read them and as they remain after an edit elsewhere in the same
 * file.
 */
final class SiteName {
    private static final Pattern LINE = Pattern.compile(":(\\d+|\\?)$");
    private static final Pattern LAMBDA = Pattern.compile("(lambda\\$.*)\\$\\d+");

    private SiteName() {}

    /**
     * Returns the caller, which the user can change, and the site if it is another method or line.
     */
    static String of(PinSite site) {
        return of(site.caller(), site.site());
    }

    /** Returns {@code caller}, and {@code site} if it is another method or line. */
    static String of(String caller, String site) {
        return caller.equals(site) ? caller : caller + ", in " + site;
    }

    /** Returns the name of {@link #of} and the kind of the pins. */
    static String withKind(PinSite site) {
        return of(site) + " (" + site.kind().label() + ")";
    }

    /**
     * Returns the site without the parts that an edit elsewhere in the file changes: the line and
     * the number of a lambda.
     */
    static PinSite withoutLines(PinSite site) {
        return new PinSite(
                method(site.site()), method(site.caller()), site.operation(), site.kind());
    }

    /** Returns the class of {@code name}; {@code otherwise} if the name stands for many sites. */
    static String className(String name, String otherwise) {
        int dot = LINE.matcher(name).replaceFirst("").lastIndexOf('.');
        return name.startsWith("(") || dot <= 0 ? otherwise : name.substring(0, dot);
    }

    /** Returns {@code name} without its line and the number of a lambda. */
    static String method(String name) {
        return LAMBDA.matcher(LINE.matcher(name).replaceFirst("")).replaceFirst("$1");
    }

    /**
     * Returns whether the site or its caller is {@code prefix}, or is inside the package, class or
     * method that {@code prefix} names.
     */
    static boolean hasPrefix(PinSite site, String prefix) {
        return hasPrefix(site.site(), prefix) || hasPrefix(site.caller(), prefix);
    }

    /**
     * Compares as the options {@code app} and {@code include} do: a prefix ends where a name ends.
     */
    private static boolean hasPrefix(String name, String prefix) {
        if (!name.startsWith(prefix)) {
            return false;
        }
        return name.length() == prefix.length() || ".:$".indexOf(name.charAt(prefix.length())) >= 0;
    }
}
