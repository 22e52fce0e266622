package io.vtagent.instrument;

import org.jspecify.annotations.Nullable;

/**
 * Copies the attributes of a method's code, and adjusts their references to instructions. These are
 * in frames, lines, local variables and type annotations (JVMS 4.7.4, 4.7.12 to 4.7.14, 4.7.20).
 * Unknown attributes are copied as they are.
 */
final class CodeTables {
    /** The first version whose methods carry frames (JVMS 4.10.1). */
    private static final int JAVA_6 = 50;

    private static final int ATTRIBUTE_HEADER = 6;
    private static final int LINE = 4;
    private static final int VARIABLE = 10;

    /**
     * The block that is put around the code.
     *
     * @param handler the offset of the handler, which is put behind the code
     * @param hasThis whether local variable 0 is {@code this} in the handler, which requires that
     *     it is everywhere in the code; if not, the handler uses no local variable
     */
    record Added(int handler, boolean hasThis) {}

    private final MethodCode code;
    private final ParsedClass parsed;
    private final int[] moved;
    private final AddedConstants constants;
    private final ByteBuilder out;

    /**
     * @param moved the new offsets of the instructions and of the end, by the old offsets
     */
    CodeTables(MethodCode code, int[] moved, AddedConstants constants, ByteBuilder out) {
        this.code = code;
        this.moved = moved;
        this.constants = constants;
        this.out = out;
        parsed = code.parsed;
    }

    void write(@Nullable Added added) {
        int count = out.size();
        int attributes = parsed.u2(code.attributes);
        out.u2(attributes);
        boolean needsFrame = added != null && parsed.version() >= JAVA_6;
        boolean needsLine = added != null;
        int at = code.attributes + 2;
        for (int left = attributes; left > 0; left--) {
            int name = parsed.u2(at);
            int begun = out.size();
            int end = parsed.attributeEnd(at);
            if (parsed.isUtf8(name, StackMap.NAME)) {
                out.u2(name).s4(0);
                writeFrames(at, needsFrame ? added : null);
                needsFrame = false;
            } else {
                out.copy(parsed.file, at, end);
                if (parsed.isUtf8(name, "LineNumberTable")) {
                    needsLine &= !moveLines(begun, needsLine);
                }
                moveVariables(name, begun);
                moveAnnotations(name, at, begun);
            }
            out.setS4(begun + 2, out.size() - begun - ATTRIBUTE_HEADER);
            at = end;
        }
        if (needsFrame) {
            int begun = out.size();
            out.u2(constants.utf8(StackMap.NAME)).s4(0);
            writeFrames(-1, added);
            out.setS4(begun + 2, out.size() - begun - ATTRIBUTE_HEADER);
            out.setU2(count, attributes + 1);
        }
    }

    private void writeFrames(int attribute, @Nullable Added added) {
        int count = attribute < 0 ? 0 : parsed.u2(attribute + ATTRIBUTE_HEADER);
        out.u2(added == null ? count : count + 1);
        StackMap frame = new StackMap(parsed, attribute);
        int last = -1;
        while (frame.next()) {
            int place = moved[frame.offset];
            writeFrame(frame, place - last - 1);
            last = place;
        }
        if (added != null) {
            out.u1(StackMap.FULL).u2(added.handler - last - 1);
            out.u2(added.hasThis ? 1 : 0);
            if (added.hasThis) {
                out.u1(StackMap.OBJECT).u2(parsed.thisClass());
            }
            out.u2(1).u1(StackMap.OBJECT).u2(constants.ofClass(ProbeCalls.THROWABLE));
        }
    }

    private void writeFrame(StackMap frame, int delta) {
        int plain = frame.type - frame.type % StackMap.ONE_ON_STACK;
        if (frame.type >= StackMap.FIRST_RESERVED) {
            out.u1(frame.type).u2(delta);
        } else if (delta < StackMap.ONE_ON_STACK) {
            out.u1(plain + delta);
        } else {
            out.u1(plain == 0 ? StackMap.SAME_WITH_OFFSET : StackMap.ONE_ON_STACK_WITH_OFFSET)
                    .u2(delta);
        }
        boolean full = frame.type == StackMap.FULL;
        if (full) {
            out.u2(frame.locals);
        }
        writeValues(frame, frame.localsAt, frame.locals);
        if (full) {
            out.u2(frame.stack);
        }
        writeValues(frame, frame.stackAt, frame.stack);
    }

    private void writeValues(StackMap frame, int from, int count) {
        int value = from;
        for (int left = count; left > 0; left--) {
            int end = frame.valueEnd(value);
            if (parsed.u1(value) == StackMap.UNINITIALIZED) {
                out.u1(StackMap.UNINITIALIZED).u2(moved[parsed.u2(value + 1)]);
            } else {
                out.copy(parsed.file, value, end);
            }
            value = end;
        }
    }

    /**
     * @param begun the offset of the copy
     * @param first whether to give the code that was put in front the number of the first line
     * @return whether an entry for that was added
     */
    private boolean moveLines(int begun, boolean first) {
        int count = begun + ATTRIBUTE_HEADER;
        int lines = out.getU2(count);
        int firstOffset = Integer.MAX_VALUE;
        int firstLine = 0;
        for (int line = count + 2; line < count + 2 + LINE * lines; line += LINE) {
            int offset = out.getU2(line);
            if (offset < firstOffset) {
                firstOffset = offset;
                firstLine = out.getU2(line + 2);
            }
            out.setU2(line, moved[offset]);
        }
        if (!first || firstLine == 0 || lines == 0xFFFF) {
            return false;
        }
        out.setU2(count, lines + 1);
        out.u2(0).u2(firstLine);
        return true;
    }

    private void moveVariables(int name, int begun) {
        if (!parsed.isUtf8(name, "LocalVariableTable")
                && !parsed.isUtf8(name, "LocalVariableTypeTable")) {
            return;
        }
        int count = begun + ATTRIBUTE_HEADER;
        for (int left = out.getU2(count), at = count + 2; left > 0; left--, at += VARIABLE) {
            moveRange(at);
        }
    }

    /** Adjusts a range, which is an offset and a length. */
    private void moveRange(int at) {
        int offset = out.getU2(at);
        int place = moved[offset];
        int end = moved[offset + out.getU2(at + 2)];
        out.setU2(at, place);
        out.setU2(at + 2, end - place);
    }

    /**
     * @param attribute the offset of the attribute in the class file
     * @param begun the offset of its copy
     */
    private void moveAnnotations(int name, int attribute, int begun) {
        if (!parsed.isUtf8(name, "RuntimeVisibleTypeAnnotations")
                && !parsed.isUtf8(name, "RuntimeInvisibleTypeAnnotations")) {
            return;
        }
        int copy = begun - attribute;
        int at = attribute + ATTRIBUTE_HEADER + 2;
        for (int left = parsed.u2(attribute + ATTRIBUTE_HEADER); left > 0; left--) {
            at = moveAnnotation(at, copy);
        }
    }

    private int moveAnnotation(int annotation, int copy) {
        int target = annotation + 1;
        int path;
        switch (parsed.u1(annotation)) {
            case 0x40, 0x41 -> { // on a local variable
                int variables = parsed.u2(target);
                for (int variable = 0; variable < variables; variable++) {
                    moveRange(target + 2 + 6 * variable + copy);
                }
                path = target + 2 + 6 * variables;
            }
            case 0x42 -> path = target + 2; // on an exception parameter, by the handler's index
            case 0x43, 0x44, 0x45, 0x46 -> { // on an instruction
                out.setU2(target + copy, moved[parsed.u2(target)]);
                path = target + 2;
            }
            case 0x47, 0x48, 0x49, 0x4A, 0x4B -> { // on a type argument of an instruction
                out.setU2(target + copy, moved[parsed.u2(target)]);
                path = target + 3;
            }
            default -> throw new IllegalArgumentException("type annotation in code");
        }
        return annotationEnd(path + 1 + 2 * parsed.u1(path));
    }

    /** Returns the end of the annotation whose type is at {@code at} (JVMS 4.7.16). */
    private int annotationEnd(int at) {
        int value = at + 4;
        for (int left = parsed.u2(at + 2); left > 0; left--) {
            value = valueEnd(value + 2);
        }
        return value;
    }

    private int valueEnd(int at) {
        return switch (parsed.u1(at)) {
            case 'e' -> at + 5;
            case '@' -> annotationEnd(at + 1);
            case '[' -> arrayEnd(at + 1);
            default -> at + 3;
        };
    }

    private int arrayEnd(int count) {
        int value = count + 2;
        for (int left = parsed.u2(count); left > 0; left--) {
            value = valueEnd(value);
        }
        return value;
    }
}
