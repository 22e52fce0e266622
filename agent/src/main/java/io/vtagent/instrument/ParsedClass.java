package io.vtagent.instrument;

import java.nio.charset.StandardCharsets;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * The positions of the parts of a class file (JVMS 4). They are found in one pass that does not
 * decode the parts, because most classes have nothing to wrap. The JVM has not checked the file
 * yet. If it is not well-formed, the constructor or a method throws an {@code
 * IndexOutOfBoundsException} or an {@code IllegalArgumentException}.
 */
final class ParsedClass {
    private static final int CONSTANTS = 8;
    private static final int UTF8 = 1;
    private static final char REPLACEMENT = '\uFFFD';

    /** The length in bytes of a member before its attributes: modifiers, name, descriptor. */
    private static final int MEMBER_HEADER = 6;

    private static final int ATTRIBUTE_HEADER = 6;

    final byte[] file;

    /** The end of the constants, where the modifiers of the class are. */
    final int constantsEnd;

    /** The position of the number of fields, which the fields follow. */
    final int fields;

    /** The position of the number of methods. */
    final int methods;

    /** The position of the number of the class's attributes. */
    final int attributes;

    /** The position of each constant, by its index. */
    private final int[] constants;

    /** The position of each method. */
    private final int[] methodsAt;

    ParsedClass(byte[] file) {
        this.file = file;
        constants = new int[u2(CONSTANTS)];
        constantsEnd = findConstants();
        fields = constantsEnd + 8 + 2 * u2(constantsEnd + MEMBER_HEADER);
        int at = fields + 2;
        for (int left = u2(fields); left > 0; left--) {
            at = attributesEnd(at + MEMBER_HEADER);
        }
        methods = at;
        methodsAt = new int[u2(at)];
        at += 2;
        for (int method = 0; method < methodsAt.length; method++) {
            methodsAt[method] = at;
            at = attributesEnd(at + MEMBER_HEADER);
        }
        attributes = at;
    }

    private int findConstants() {
        int at = CONSTANTS + 2;
        for (int index = 1; index < constants.length; index++) {
            constants[index] = at;
            int tag = file[at];
            switch (tag) {
                case UTF8 -> at += 3 + u2(at + 1);
                case 5, 6 -> { // Long and Double take two places
                    at += 9;
                    index++;
                }
                case 7, 8, 16, 19, 20 -> at += 3; // Class, String, MethodType, Module, Package
                case 15 -> at += 4; // MethodHandle
                case 3, 4, 9, 10, 11, 12, 17, 18 ->
                        at += 5; // Integer, Float, refs, NameAndType, dynamics
                default -> throw new IllegalArgumentException("constant pool tag " + tag);
            }
        }
        return at;
    }

    int u1(int at) {
        return file[at] & 0xFF;
    }

    int u2(int at) {
        return (file[at] & 0xFF) << 8 | (file[at + 1] & 0xFF);
    }

    int s4(int at) {
        return u2(at) << 16 | u2(at + 2);
    }

    /** Returns the major version, which is 52 for Java 8. */
    int version() {
        return u2(6);
    }

    int constantCount() {
        return constants.length;
    }

    int modifiers() {
        return u2(constantsEnd);
    }

    /** Returns the index of the constant that names the class. */
    int thisClass() {
        return u2(constantsEnd + 2);
    }

    /** Returns the name of the class, with slashes. */
    String name() {
        return className(thisClass());
    }

    /**
     * Returns the name of the superclass, with slashes; that of {@code java.lang.Object} if there
     * is none, as in the class file of {@code java.lang.Object}.
     */
    String superName() {
        int index = u2(constantsEnd + 4);
        return index == 0 ? "java/lang/Object" : className(index);
    }

    /** Returns the names of the interfaces, with slashes. */
    String[] interfaces() {
        String[] names = new String[u2(constantsEnd + MEMBER_HEADER)];
        for (int i = 0; i < names.length; i++) {
            names[i] = className(u2(constantsEnd + 8 + 2 * i));
        }
        return names;
    }

    int methodCount() {
        return methodsAt.length;
    }

    int methodAt(int method) {
        return methodsAt[method];
    }

    boolean isSynchronized(int method) {
        return (u2(methodsAt[method]) & Opcodes.ACC_SYNCHRONIZED) != 0;
    }

    /**
     * Returns the position of a method's {@code Code}, behind the attribute's name and length; -1
     * if it has none.
     */
    int codeOf(int method) {
        int attribute = attribute(methodsAt[method] + MEMBER_HEADER, "Code");
        return attribute < 0 ? -1 : attribute + ATTRIBUTE_HEADER;
    }

    /**
     * Returns the position of the attribute of that name, or -1.
     *
     * @param count the position of the number of attributes, which the attributes follow
     */
    int attribute(int count, String name) {
        int at = count + 2;
        for (int left = u2(count); left > 0; left--) {
            if (isUtf8(u2(at), name)) {
                return at;
            }
            at = attributeEnd(at);
        }
        return -1;
    }

    /** Returns the end of the attributes whose number is at {@code count}. */
    int attributesEnd(int count) {
        int at = count + 2;
        for (int left = u2(count); left > 0; left--) {
            at = attributeEnd(at);
        }
        return at;
    }

    int attributeEnd(int attribute) {
        int length = s4(attribute + 2);
        if (length < 0) {
            throw new IllegalArgumentException("length of an attribute " + length);
        }
        return attribute + ATTRIBUTE_HEADER + length;
    }

    /** Returns whether a constant is that text, which has only ASCII characters. */
    boolean isUtf8(int index, String ascii) {
        int at = constants[index];
        if (file[at] != UTF8 || u2(at + 1) != ascii.length()) {
            return false;
        }
        for (int i = 0; i < ascii.length(); i++) {
            if (file[at + 3 + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the text of a constant (JVMS 4.4.7). */
    String utf8(int index) {
        int at = constants[index];
        int length = u2(at + 1);
        String text = new String(file, at + 3, length, StandardCharsets.UTF_8);
        // UTF-8 and the encoding of class files are equal for ASCII only; a byte that is invalid in
        // UTF-8 also becomes a character
        return text.length() == length && text.indexOf(REPLACEMENT) < 0
                ? text
                : modifiedUtf8(at + 3, length);
    }

    private String modifiedUtf8(int from, int length) {
        StringBuilder text = new StringBuilder(length);
        int at = from;
        while (at < from + length) {
            int first = u1(at);
            if (first < 0x80) {
                text.append((char) first);
                at++;
            } else if (first < 0xE0) {
                text.append((char) ((first & 0x1F) << 6 | (file[at + 1] & 0x3F)));
                at += 2;
            } else {
                text.append(
                        (char)
                                ((first & 0xF) << 12
                                        | (file[at + 1] & 0x3F) << 6
                                        | (file[at + 2] & 0x3F)));
                at += 3;
            }
        }
        return text.toString();
    }

    /** Returns the name of the class that a constant refers to, with slashes. */
    String className(int index) {
        return utf8(u2(constants[index] + 1));
    }

    /** Returns whether the field or method that a constant refers to has that name. */
    boolean isMemberNamed(int reference, String ascii) {
        int nameAndType = u2(constants[reference] + 3);
        return isUtf8(u2(constants[nameAndType] + 1), ascii);
    }
}
