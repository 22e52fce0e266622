package io.vtagent.instrument;

/**
 * Tells in a few microseconds whether a class file can contain a monitor, so that all others pass untouched: whether a method is
 * {@code synchronized} or has the byte of {@code monitorenter} in its code (JVMS 4).
 */
final class MonitorSniffer {
    private static final int ACC_SYNCHRONIZED = 0x0020;
    private static final byte MONITORENTER = (byte) 0xC2;
    private static final int FIRST_CONSTANT = 10;

    private final byte[] file;
    private int at = FIRST_CONSTANT;
    private int codeName = -1;

    private MonitorSniffer(byte[] file) {
        this.file = file;
    }

    /** @throws ArrayIndexOutOfBoundsException or IllegalArgumentException if {@code classFile} is not well-formed */
    static boolean hasMonitors(byte[] classFile) {
        return new MonitorSniffer(classFile).sniff();
    }

    private boolean sniff() {
        skipConstants();
        at += 6; // access, this, super
        at += 2 + 2 * u2(at); // interfaces
        members(false); // fields
        return members(true);
    }

    private void skipConstants() {
        int count = u2(FIRST_CONSTANT - 2);
        for (int index = 1; index < count; index++) {
            int tag = file[at];
            switch (tag) {
                case 1 -> { // Utf8
                    int length = u2(at + 1);
                    if (length == 4
                            && file[at + 3] == 'C'
                            && file[at + 4] == 'o'
                            && file[at + 5] == 'd'
                            && file[at + 6] == 'e') {
                        codeName = index;
                    }
                    at += 3 + length;
                }
                case 5, 6 -> { // Long and Double take two places
                    at += 9;
                    index++;
                }
                case 7, 8, 16, 19, 20 -> at += 3; // Class, String, MethodType, Module, Package
                case 15 -> at += 4; // MethodHandle
                case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5; // Integer, Float, refs, NameAndType, dynamics
                default -> throw new IllegalArgumentException("constant pool tag " + tag);
            }
        }
    }

    private boolean members(boolean methods) {
        boolean found = false;
        int count = u2(at);
        at += 2;
        for (int member = 0; member < count; member++) {
            found |= methods && (u2(at) & ACC_SYNCHRONIZED) != 0;
            int attributes = u2(at + 6);
            at += 8;
            for (int attribute = 0; attribute < attributes; attribute++) {
                int length = (u2(at + 2) << 16) | u2(at + 4);
                if (methods && !found && u2(at) == codeName) {
                    found = contains(MONITORENTER, at + 6, length);
                }
                at += 6 + length;
            }
        }
        return found;
    }

    private boolean contains(byte wanted, int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (file[i] == wanted) {
                return true;
            }
        }
        return false;
    }

    private int u2(int offset) {
        return (file[offset] & 0xFF) << 8 | (file[offset + 1] & 0xFF);
    }
}
