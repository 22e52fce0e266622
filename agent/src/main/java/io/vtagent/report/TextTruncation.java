package io.vtagent.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shortens texts to a number of columns. */
final class TextTruncation {
    private static final String CUT = " ...";
    private static final int MIN_NAME = 20;
    private static final int CUT_OFF = 3;

    /** The beginning of a word in a name, such as {@code Service} in {@code OrderService}. */
    private static final Pattern WORD = Pattern.compile("(?<=[a-z0-9])[A-Z]|(?<=[.$])\\w");

    /** The packages before the name of a class, which begins with a capital. */
    private static final Pattern PACKAGES = Pattern.compile("\\b(?:[a-z_][\\w]*\\.)+(?=[A-Z])");

    private static final Pattern SENTENCE = Pattern.compile("(?<=\\.) (?=[A-Z])");

    private TextTruncation() {}

    /**
     * Returns the name of a method with its packages cut to their first letters, from the left, as
     * far as necessary. If that does not suffice, the beginning is cut off, between words if
     * possible.
     */
    static String name(String name, int columns) {
        String brief = name;
        int from = 0;
        for (int dot = brief.indexOf('.');
                brief.length() > columns && dot >= 0 && isPackage(brief, from, dot);
                dot = brief.indexOf('.', from)) {
            brief = brief.substring(0, from + 1) + brief.substring(dot);
            from += 2;
        }
        int most = Math.max(columns, MIN_NAME);
        return brief.length() <= most ? brief : "..." + brief.substring(startOfWord(brief, most));
    }

    /** Returns where the part of the name begins that fits with the dots before it. */
    private static int startOfWord(String name, int columns) {
        int from = name.length() - columns + CUT_OFF;
        Matcher word = WORD.matcher(name);
        return word.find(from) && word.start() <= from + columns / 4 ? word.start() : from;
    }

    /** Returns whether a class follows, and not a method. */
    private static boolean isPackage(String name, int from, int dot) {
        return Character.isLowerCase(name.charAt(from)) && name.indexOf('.', dot + 1) >= 0;
    }

    /**
     * Returns {@code advice} without the packages of names. If it is still too long, its first
     * sentence, the problem, gives way to the others, what to do about it; then it is cut.
     */
    static String advice(String advice, int columns) {
        String text = PACKAGES.matcher(advice).replaceAll("");
        String[] sentences = SENTENCE.split(text, 2);
        if (text.length() > columns && sentences.length > 1) {
            text = sentences[1];
        }
        return cut(text, columns);
    }

    /** Cuts the text if it is too long, between words if possible. */
    static String cut(String text, int columns) {
        if (text.length() <= columns) {
            return text;
        }
        int end = text.lastIndexOf(' ', columns - CUT.length());
        return text.substring(0, end < 0 ? columns - CUT.length() : end) + CUT;
    }
}
