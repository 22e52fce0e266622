package io.vtagent.instrument;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing array of bytes of a class file. Numbers of two and four bytes are big-endian, as
 * everywhere in class files.
 */
final class ByteBuilder {
    private byte[] bytes;
    private int size;

    ByteBuilder(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    ByteBuilder u1(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    ByteBuilder u2(int value) {
        ensure(2);
        size += 2;
        setU2(size - 2, value);
        return this;
    }

    ByteBuilder s4(int value) {
        ensure(4);
        size += 4;
        setS4(size - 4, value);
        return this;
    }

    /** Appends the length of a text and the text in the encoding of class files (JVMS 4.4.7). */
    ByteBuilder utf8(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.UTF_8);
        boolean same =
                ascii.length == text.length()
                        && new String(ascii, StandardCharsets.ISO_8859_1).equals(text);
        if (same && text.indexOf(0) < 0) {
            return u2(ascii.length).copy(ascii, 0, ascii.length);
        }
        int begun = size;
        u2(0);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0 && c < 0x80) {
                u1(c);
            } else if (c < 0x800) {
                u1(0xC0 | c >> 6).u1(0x80 | (c & 0x3F));
            } else {
                u1(0xE0 | c >> 12).u1(0x80 | (c >> 6 & 0x3F)).u1(0x80 | (c & 0x3F));
            }
        }
        setU2(begun, size - begun - 2);
        return this;
    }

    /** Appends the bytes of {@code from} between {@code start} and {@code end}. */
    ByteBuilder copy(byte[] from, int start, int end) {
        int length = end - start;
        ensure(length);
        System.arraycopy(from, start, bytes, size, length);
        size += length;
        return this;
    }

    ByteBuilder append(ByteBuilder other) {
        return copy(other.bytes, 0, other.size);
    }

    int getU2(int at) {
        return (bytes[at] & 0xFF) << 8 | (bytes[at + 1] & 0xFF);
    }

    void setU2(int at, int value) {
        bytes[at] = (byte) (value >> 8);
        bytes[at + 1] = (byte) value;
    }

    void setS4(int at, int value) {
        setU2(at, value >> 16);
        setU2(at + 2, value);
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
