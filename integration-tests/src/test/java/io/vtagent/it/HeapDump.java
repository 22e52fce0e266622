package io.vtagent.it;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The classes that a heap dump has, in HotSpot's format: {@code heapDumper.cpp}. */
final class HeapDump {
    private static final int NAME = 0x01;
    private static final int LOADED_CLASS = 0x02;

    private HeapDump() {}

    /**
     * Has {@code jvm} collect its garbage and write a dump into {@code file}; the names of the
     * classes that are left, with dots.
     */
    static List<String> classes(ForkedJvm jvm, Path file) {
        Jcmd.run(jvm, "GC.heap_dump", "-overwrite", file.toString());
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            return classes(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> classes(DataInputStream in) throws IOException {
        for (int read = in.read(); read != 0; read = in.read()) {
            // the name of the format
        }
        int idBytes = in.readInt();
        in.readLong();
        Map<Long, String> names = new HashMap<>();
        List<Long> loaded = new ArrayList<>();
        while (true) {
            int tag = in.read();
            if (tag < 0) {
                break;
            }
            in.readInt();
            long left = Integer.toUnsignedLong(in.readInt());
            if (tag == NAME) {
                long id = in.readLong();
                names.put(
                        id,
                        new String(in.readNBytes((int) left - idBytes), StandardCharsets.UTF_8));
            } else if (tag == LOADED_CLASS) {
                in.readInt();
                in.readLong();
                in.readInt();
                loaded.add(in.readLong());
            } else {
                in.skipNBytes(left);
            }
        }
        if (names.isEmpty()) {
            throw new EOFException("no heap dump");
        }
        return loaded.stream().map(id -> String.valueOf(names.get(id)).replace('/', '.')).toList();
    }
}
