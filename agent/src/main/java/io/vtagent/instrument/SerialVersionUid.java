package io.vtagent.instrument;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
    private boolean declared;

    private SerialVersionUid() {
        super(Opcodes.ASM9);
    }

    static SerialVersionUid of(ClassReader reader) {
        SerialVersionUid uid = new SerialVersionUid();
        reader.accept(uid, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return uid;
    }

    /** Whether the class declares the field itself. */
    boolean isDeclared() {
        return declared;
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
        interfaces = implemented == null ? new String[0] : implemented.clone();
    }

    @Override
    public void visitInnerClass(String inner, @Nullable String outer, @Nullable String simple, int access) {
        if (inner.replace('/', '.').equals(name)) {
            modifiers = access; // what Class.getModifiers gives for a member class
        }
    }

    @Override
    public @Nullable FieldVisitor visitField(
            int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
        declared |= field.equals(FIELD) && descriptor.equals("J") && (access & Opcodes.ACC_STATIC) != 0;
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
            hasInitializer = true;
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
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(bytes.toByteArray());
            long uid = 0;
            for (int i = 7; i >= 0; i--) {
                uid = uid << 8 | (hash[i] & 0xFF);
            }
            return uid;
        } catch (IOException | NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void write(DataOutputStream out, List<Member> members) throws IOException {
        for (Member member : members) {
            out.writeUTF(member.name);
            out.writeInt(member.modifiers);
            out.writeUTF(member.descriptor);
        }
    }
}
