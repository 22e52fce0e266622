package io.vtagent.cli;

import java.util.ArrayList;
import java.util.List;

/** Text in lines of a given width. */
final class Lines {
    private Lines() {}

    /** Broken at spaces, and where there is none. */
    static List<String> wrap(String text, int width) {
        int limit = Math.max(width, 1);
        List<String> lines = new ArrayList<>();
        for (String paragraph : text.split("\n", -1)) {
            String rest = paragraph;
            while (rest.length() > limit) {
                int space = rest.lastIndexOf(' ', limit);
                int end = space > 0 ? space : limit;
                lines.add(rest.substring(0, end));
                rest = rest.substring(space > 0 ? end + 1 : end);
            }
            lines.add(rest);
        }
        return lines;
    }

    /**
     * A name with its packages shortened to letters, from the first on, until it fits: {@code c.a.shop.Cart.add:12}; if it then does not,
     * its end, where method and line are.
     */
    static String abbreviate(String name, int width) {
        StringBuilder shortened = new StringBuilder(name);
        int from = 0;
        while (shortened.length() > width) {
            int dot = shortened.indexOf(".", from);
            if (dot < 0 || !Character.isLowerCase(shortened.charAt(from)) || isLastOfPackage(shortened, dot)) {
                break;
            }
            shortened.delete(from + 1, dot);
            from += 2;
        }
        int over = shortened.length() - width;
        return over <= 0 ? shortened.toString() : "…" + shortened.substring(Math.min(over + 1, shortened.length()));
    }

    /** A class may begin with a small letter, and has a method behind it. */
    private static boolean isLastOfPackage(StringBuilder name, int dot) {
        return name.indexOf(".", dot + 1) < 0;
    }
}
