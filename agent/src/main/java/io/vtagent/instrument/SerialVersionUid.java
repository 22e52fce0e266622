package io.vtagent.instrument;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Computes the {@code serialVersionUID} that a class has by default, from its class file. The default depends on the modifiers of
 * the methods ("Java Object Serialization Specification", 4.6), of which wrapping takes {@code synchronized} away.
 */
final class SerialVersionUid extends ClassVisitor {
    static final String FIELD = "serialVersionUID";

    private static final int CLASS_MODIFIERS =
            Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    private static final int FIELD_MODIFIERS = Opcodes.ACC_PUBLIC
            | Opcodes.ACC_PRIVATE
            | Opcodes.ACC_PROTECTED
            | Opcodes.ACC_STATIC
            | Opcodes.ACC_FINAL
            | Opcodes.ACC_VOLATILE
            | Opcodes.ACC_TRANSIENT;
    private static final int METHOD_MODIFIERS = Opcodes.ACC_PUBLIC
            | Opcodes.ACC_PRIVATE
            | Opcodes.ACC_PROTECTED
            | Opcodes.ACC_STATIC
            | Opcodes.ACC_FINAL
            | Opcodes.ACC_SYNCHRONIZED
            | Opcodes.ACC_NATIVE
            | Opcodes.ACC_ABSTRACT
            | Opcodes.ACC_STRICT;

    private record Member(String name, int modifiers, String descriptor) {}

    private final List<Member> fields = new ArrayList<>();
    private final List<Member> constructors = new ArrayList<>();
    private final List<Member> methods = new ArrayList<>();
    private String name = "";
    private int modifiers;
    private String[] interfaces = {};
    private boolean hasInitializer;
    private boolean isMember;
    private boolean isZero;
    private boolean isNameTaken;
    private boolean isDeclared;

    private SerialVersionUid() {
        super(Opcodes.ASM9);
    }

    static SerialVersionUid of(ClassReader reader) {
        SerialVersionUid uid = new SerialVersionUid();
        reader.accept(uid, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return uid;
    }

    /** Whether {@code ObjectStreamClass} takes the value of a field that the class declares. */
    boolean isDeclared() {
        return isDeclared;
    }

    /** Whether the class has a field of that name, which may be none of those that {@link #isDeclared} means. */
    boolean isNameTaken() {
        return isNameTaken;
    }

    /** Whether it is 0 whatever the methods are, as for enums and for records. */
    boolean isZero() {
        return isZero;
    }

    @Override
    public void visit(
            int version,
            int access,
            String className,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] implemented) {
        name = className.replace('/', '.');
        modifiers = access;
        boolean isRecord = "java/lang/Record".equals(superName) && (access & Opcodes.ACC_RECORD) != 0;
        isZero = isRecord || "java/lang/Enum".equals(superName);
        interfaces = implemented == null ? new String[0] : implemented.clone();
    }

    @Override
    public void visitInnerClass(String inner, @Nullable String outer, @Nullable String simple, int access) {
        if (!isMember && inner.replace('/', '.').equals(name)) {
            isMember = true;
            modifiers = access; // what Class.getModifiers gives for a member class: those of its first entry
        }
    }

    @Override
    public @Nullable FieldVisitor visitField(
            int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
        if (field.equals(FIELD) && !isNameTaken) {
            isNameTaken = true;
            // ObjectStreamClass.getDeclaredSUID: Field.getLong widens
            int needed = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
            isDeclared = (access & needed) == needed && "BCSIJ".contains(descriptor);
        }
        boolean hidden =
                (access & Opcodes.ACC_PRIVATE) != 0 && (access & (Opcodes.ACC_STATIC | Opcodes.ACC_TRANSIENT)) != 0;
        if (!hidden) {
            fields.add(new Member(field, access & FIELD_MODIFIERS, descriptor));
        }
        return null;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        if (method.equals("<clinit>")) {
            hasInitializer |= descriptor.equals("()V");
        } else if ((access & Opcodes.ACC_PRIVATE) == 0) {
            (method.equals("<init>") ? constructors : methods)
                    .add(new Member(method, access & METHOD_MODIFIERS, descriptor.replace('/', '.')));
        }
        return null;
    }

    long compute() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(name);
            out.writeInt(modifiers & CLASS_MODIFIERS);
            Arrays.sort(interfaces);
            for (String type : interfaces) {
                out.writeUTF(type.replace('/', '.'));
            }
            fields.sort(Comparator.comparing(Member::name));
            write(out, fields);
            if (hasInitializer) {
                write(out, List.of(new Member("<clinit>", Opcodes.ACC_STATIC, "()V")));
            }
            constructors.sort(Comparator.comparing(Member::descriptor));
            write(out, constructors);
            methods.sort(Comparator.comparing(Member::name).thenComparing(Member::descriptor));
            write(out, methods);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        int[] hash = Sha1.hash(bytes.toByteArray());
        return (long) Integer.reverseBytes(hash[1]) << 32 | Integer.toUnsignedLong(Integer.reverseBytes(hash[0]));
    }

    private static void write(DataOutputStream out, List<Member> members) throws IOException {
        for (Member member : members) {
            out.writeUTF(member.name);
            out.writeInt(member.modifiers);
            out.writeUTF(member.descriptor);
        }
    }
}
