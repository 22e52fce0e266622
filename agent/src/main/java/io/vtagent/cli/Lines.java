package io.vtagent.cli;

import io.vtagent.log.PlainText;
import java.util.ArrayList;
import java.util.List;

/** Fits text into lines of a given width. */
final class Lines {
    private Lines() {}

    /** Breaks {@code text} at spaces, or at {@code width} where there is no space. */
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
     * Shortens {@code name} to {@code width}. First its packages become single letters, from the
     * left, until it fits: {@code c.a.shop.Cart.add:12}. If that is not enough, only its end
     * remains, which has the method and the line.
     */
    static String abbreviate(String name, int width) {
        StringBuilder shortened = new StringBuilder(name);
        int from = 0;
        while (shortened.length() > width) {
            int dot = shortened.indexOf(".", from);
            if (dot < 0
                    || !Character.isLowerCase(shortened.charAt(from))
                    || isLastOfPackage(shortened, dot)) {
                break;
            }
            shortened.delete(from + 1, dot);
            from += 2;
        }
        int over = shortened.length() - width;
        return over <= 0
                ? shortened.toString()
                : PlainText.ELLIPSIS + shortened.substring(Math.min(over + 1, shortened.length()));
    }

    /**
     * Returns whether the name before {@code dot} is the class, which only the method follows. Its
     * first letter does not decide, because a class may begin with a small letter.
     */
    private static boolean isLastOfPackage(StringBuilder name, int dot) {
        return name.indexOf(".", dot + 1) < 0;
    }
}
