package io.vtagent.report;

import java.util.regex.Pattern;

/** Texts that have to fit. */
final class Brief {
    private static final String CUT = " ...";
    private static final int SHORTEST_NAME = 20;
    /** The packages before a class, whose name begins with a capital. */
    private static final Pattern PACKAGES = Pattern.compile("\\b(?:[a-z_][\\w]*\\.)+(?=[A-Z])");

    private static final Pattern SENTENCE = Pattern.compile("(?<=\\.) (?=[A-Z])");

    private Brief() {}

    /** The name of a method, its packages cut down to their first letters from the left, as far as it takes; then without its beginning. */
    static String name(String name, int columns) {
        String brief = name;
        int from = 0;
        for (int dot = brief.indexOf('.');
                brief.length() > columns && dot >= 0 && isPackage(brief, from, dot);
                dot = brief.indexOf('.', from)) {
            brief = brief.substring(0, from + 1) + brief.substring(dot);
            from += 2;
        }
        int most = Math.max(columns, SHORTEST_NAME);
        return brief.length() <= most ? brief : "..." + brief.substring(brief.length() - most + 3);
    }

    /** Whether a class follows, and not a method. */
    private static boolean isPackage(String name, int from, int dot) {
        return Character.isLowerCase(name.charAt(from)) && name.indexOf('.', dot + 1) >= 0;
    }

    /** Names without their packages; then, what is the matter gives way to what to do about it; then it is cut. */
    static String advice(String advice, int columns) {
        String text = PACKAGES.matcher(advice).replaceAll("");
        String[] sentences = SENTENCE.split(text, 2);
        if (text.length() > columns && sentences.length > 1) {
            text = sentences[1];
        }
        return cut(text, columns);
    }

    /** Between words, if it has to be. */
    static String cut(String text, int columns) {
        if (text.length() <= columns) {
            return text;
        }
        int end = text.lastIndexOf(' ', columns - CUT.length());
        return text.substring(0, end < 0 ? columns - CUT.length() : end) + CUT;
    }
}
