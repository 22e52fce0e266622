package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Computes the default {@code serialVersionUID} of a class from its class file. The default depends
 * on the modifiers of the methods ("Java Object Serialization Specification", 4.6), and wrapping
 * removes the modifier {@code synchronized}.
 */
final class SerialVersionUid {
    static final String FIELD = "serialVersionUID";

    private static final int CLASS_MODIFIERS =
            Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    private static final int FIELD_MODIFIERS =
            Opcodes.ACC_PUBLIC
                    | Opcodes.ACC_PRIVATE
                    | Opcodes.ACC_PROTECTED
                    | Opcodes.ACC_STATIC
                    | Opcodes.ACC_FINAL
                    | Opcodes.ACC_VOLATILE
                    | Opcodes.ACC_TRANSIENT;
    private static final int METHOD_MODIFIERS =
            Opcodes.ACC_PUBLIC
                    | Opcodes.ACC_PRIVATE
                    | Opcodes.ACC_PROTECTED
                    | Opcodes.ACC_STATIC
                    | Opcodes.ACC_FINAL
                    | Opcodes.ACC_SYNCHRONIZED
                    | Opcodes.ACC_NATIVE
                    | Opcodes.ACC_ABSTRACT
                    | Opcodes.ACC_STRICT;

    private record Member(String name, int modifiers, String descriptor) {}

    /**
     * Used instead of lambdas: for the first lambda the JVM creates classes, on a thread that is
     * just loading a class.
     */
    private enum ByName implements Comparator<Member> {
        ALONE,
        AND_DESCRIPTOR;

        @Override
        public int compare(Member one, Member other) {
            int names = one.name.compareTo(other.name);
            return names == 0 && this == AND_DESCRIPTOR
                    ? one.descriptor.compareTo(other.descriptor)
                    : names;
        }
    }

    private final List<Member> fields = new ArrayList<>();
    private final List<Member> constructors = new ArrayList<>();
    private final List<Member> methods = new ArrayList<>();
    private final String name;
    private final String[] interfaces;
    private final boolean isZero;
    private int modifiers;
    private boolean hasInitializer;
    private boolean isNameTaken;
    private boolean isDeclared;

    private SerialVersionUid(ParsedClass parsed) {
        name = parsed.name().replace('/', '.');
        modifiers = parsed.modifiers();
        interfaces = parsed.interfaces();
        boolean isRecord =
                parsed.superName().equals("java/lang/Record")
                        && parsed.attribute(parsed.attributes, "Record") >= 0;
        isZero = isRecord || parsed.superName().equals("java/lang/Enum");
    }

    static SerialVersionUid of(ParsedClass parsed) {
        SerialVersionUid uid = new SerialVersionUid(parsed);
        uid.readInnerClasses(parsed);
        uid.readFields(parsed);
        for (int method = 0; method < parsed.methodCount(); method++) {
            uid.readMethod(parsed, parsed.methodAt(method));
        }
        return uid;
    }

    /**
     * Returns whether {@code ObjectStreamClass} takes the value of a field that the class declares.
     */
    boolean isDeclared() {
        return isDeclared;
    }

    /**
     * Returns whether the class has a field of that name, even if {@code ObjectStreamClass} does
     * not take its value.
     */
    boolean isNameTaken() {
        return isNameTaken;
    }

    /** Returns whether it is 0 whatever the methods are, as for enums and records. */
    boolean isZero() {
        return isZero;
    }

    /**
     * Reads the modifiers of a member class from its first entry, as {@code Class.getModifiers}
     * does.
     */
    private void readInnerClasses(ParsedClass parsed) {
        int attribute = parsed.attribute(parsed.attributes, "InnerClasses");
        if (attribute < 0) {
            return;
        }
        int entry = attribute + 8;
        for (int left = parsed.u2(attribute + 6); left > 0; left--) {
            int inner = parsed.u2(entry);
            if (inner != 0 && parsed.className(inner).equals(parsed.name())) {
                modifiers = parsed.u2(entry + 6);
                return;
            }
            entry += 8;
        }
    }

    private void readFields(ParsedClass parsed) {
        int at = parsed.fields + 2;
        for (int left = parsed.u2(parsed.fields); left > 0; left--) {
            int access = parsed.u2(at);
            String field = parsed.utf8(parsed.u2(at + 2));
            String descriptor = parsed.utf8(parsed.u2(at + 4));
            if (field.equals(FIELD) && !isNameTaken) {
                isNameTaken = true;
                // ObjectStreamClass.getDeclaredSUID: Field.getLong widens
                int needed = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
                isDeclared = (access & needed) == needed && "BCSIJ".contains(descriptor);
            }
            boolean hidden =
                    (access & Opcodes.ACC_PRIVATE) != 0
                            && (access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) != 0;
            if (!hidden) {
                fields.add(new Member(field, access & FIELD_MODIFIERS, descriptor));
            }
            at = parsed.attributesEnd(at + 6);
        }
    }

    private void readMethod(ParsedClass parsed, int at) {
        int access = parsed.u2(at);
        String method = parsed.utf8(parsed.u2(at + 2));
        String descriptor = parsed.utf8(parsed.u2(at + 4));
        if (method.equals("<clinit>")) {
            hasInitializer |= descriptor.equals("()V");
        } else if ((access & Opcodes.ACC_PRIVATE) == 0) {
            (method.equals("<init>") ? constructors : methods)
                    .add(
                            new Member(
                                    method,
                                    access & METHOD_MODIFIERS,
                                    descriptor.replace('/', '.')));
        }
    }

    long compute() {
        ByteBuilder out = new ByteBuilder(1024);
        out.utf8(name).s4(modifiers & CLASS_MODIFIERS);
        Arrays.sort(interfaces);
        for (String type : interfaces) {
            out.utf8(type.replace('/', '.'));
        }
        fields.sort(ByName.ALONE);
        write(out, fields);
        if (hasInitializer) {
            write(out, List.of(new Member("<clinit>", Opcodes.ACC_STATIC, "()V")));
        }
        constructors.sort(ByName.AND_DESCRIPTOR);
        write(out, constructors);
        methods.sort(ByName.AND_DESCRIPTOR);
        write(out, methods);
        int[] hash = Sha1.hash(out.toArray());
        return (long) Integer.reverseBytes(hash[1]) << 32
                | Integer.toUnsignedLong(Integer.reverseBytes(hash[0]));
    }

    private static void write(ByteBuilder out, List<Member> members) {
        for (Member member : members) {
            out.utf8(member.name).s4(member.modifiers).utf8(member.descriptor);
        }
    }
}
