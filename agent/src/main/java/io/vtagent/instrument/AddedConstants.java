package io.vtagent.instrument;

import java.util.HashMap;
import java.util.Map;

/** The constants that are appended to those of a class file, which keep their indexes. */
final class AddedConstants {
    private static final int MAX_COUNT = 0xFFFF;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;

    private final ByteBuilder bytes = new ByteBuilder(256);
    private final Map<String, Integer> texts = new HashMap<>();
    private final Map<String, Integer> classes = new HashMap<>();
    private final Map<String, Integer> methods = new HashMap<>();
    private int count;

    AddedConstants(ParsedClass parsed) {
        count = parsed.constantCount();
    }

    /** Returns the number of constants, including those of the file. */
    int count() {
        return count;
    }

    ByteBuilder bytes() {
        return bytes;
    }

    int utf8(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            return known;
        }
        bytes.u1(UTF8).utf8(text);
        return remember(texts, text);
    }

    int ofClass(String name) {
        Integer known = classes.get(name);
        if (known != null) {
            return known;
        }
        int nameText = utf8(name);
        bytes.u1(CLASS).u2(nameText);
        return remember(classes, name);
    }

    /** Returns the index of a static method of {@link ProbeCalls#PROBE}. */
    int probe(String name, String descriptor) {
        Integer known = methods.get(name);
        if (known != null) {
            return known;
        }
        int owner = ofClass(ProbeCalls.PROBE);
        int nameText = utf8(name);
        int descriptorText = utf8(descriptor);
        bytes.u1(NAME_AND_TYPE).u2(nameText).u2(descriptorText);
        int nameAndType = next(1);
        bytes.u1(METHOD).u2(owner).u2(nameAndType);
        return remember(methods, name);
    }

    int ofLong(long value) {
        bytes.u1(LONG).s4((int) (value >> 32)).s4((int) value);
        return next(2); // it takes two places
    }

    private int remember(Map<String, Integer> constants, String key) {
        int index = next(1);
        constants.put(key, index);
        return index;
    }

    private int next(int places) {
        int index = count;
        count += places;
        if (count > MAX_COUNT) {
            throw new IllegalArgumentException("no place for more constants");
        }
        return index;
    }
}
