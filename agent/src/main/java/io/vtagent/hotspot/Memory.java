package io.vtagent.hotspot;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads the memory of this process through the kernel ({@code /proc/self/mem}). The kernel refuses
 * unmapped addresses; if the JVM read one directly, that would end it. So an address may be stale,
 * and what is read there may be anything. Thread-safe.
 */
final class Memory {
    private static final String OWN = "/proc/self/mem";

    /** Open since the first read. */
    private @Nullable RandomAccessFile file;

    /**
     * @throws IOException if not all of it can be read, or the kernel does not offer this, as
     *     outside Linux
     */
    ByteBuffer read(long address, int length) throws IOException {
        byte[] bytes = new byte[length];
        synchronized (this) {
            at(address).readFully(bytes);
        }
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    /** Reads as much as is mapped from {@code address} on, at most {@code length} bytes. */
    ByteBuffer readUpTo(long address, int length) throws IOException {
        byte[] bytes = new byte[length];
        synchronized (this) {
            int read = at(address).read(bytes);
            return ByteBuffer.wrap(bytes, 0, Math.max(read, 0)).order(ByteOrder.nativeOrder());
        }
    }

    private RandomAccessFile at(long address) throws IOException {
        RandomAccessFile open = file;
        if (open == null) {
            open = new RandomAccessFile(OWN, "r");
            file = open;
        }
        open.seek(address); // refuses negative ones
        return open;
    }

    /** Closes the file; the next read opens it again. */
    synchronized void close() {
        RandomAccessFile open = file;
        file = null;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (IOException closedAnyhow) {
            // nothing is written to the file
        }
    }

    long word(long address) throws IOException {
        return read(address, Long.BYTES).getLong(0);
    }

    int number(long address) throws IOException {
        return read(address, Integer.BYTES).getInt(0);
    }
}
