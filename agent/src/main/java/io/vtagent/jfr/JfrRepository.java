package io.vtagent.jfr;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;

/**
 * The folder that JFR creates for the agent's stream. JFR removes it when the JVM ends, but not
 * when the JVM is killed: then it stays in the folder for temporary files, with some megabytes that
 * nothing reads. So the agent marks its folder while no other recording uses it, and removes the
 * marked folders of dead JVMs. Thread-safe; takes no lock for which a thread of the application
 * could wait.
 *
 * <p>The mark is a file that its JVM keeps locked. The operating system releases the lock when the
 * process ends, however it ends. Unlike a process id, the lock also works between containers that
 * share a folder.
 */
final class JfrRepository implements FlightRecorderListener {
    private static final String MARK = "recorded-by-vt-agent-only";

    /** The mark's name until the mark is locked. */
    private static final String TO_BE_LOCKED = MARK + ".new";

    /**
     * The names that the JDK gives these folders (jdk.jfr.internal.Repository): the time, the
     * process id, and a number if such a folder exists.
     */
    private static final Pattern NAME = Pattern.compile("\\d{4}(_\\d\\d){5}_\\d+(_\\d+)?");

    private final Recording ownRecording;
    private final AtomicReference<Mark> mark = new AtomicReference<>();
    private volatile boolean shared;

    private record Mark(Path file, FileChannel locked) {}

    /**
     * @param shared whether another recording can have existed before
     */
    JfrRepository(Recording ownRecording, boolean shared) {
        this.ownRecording = ownRecording;
        this.shared = shared;
    }

    /**
     * Returns whether the folder exists, as it does once the first recording has started. {@code
     * jdk.jfr.internal.Repository} then sets this property.
     */
    static boolean exists() {
        return System.getProperty("jdk.jfr.repository") != null;
    }

    /** Called on the thread that starts or stops a recording. */
    @Override
    public void recordingStateChanged(Recording recording) {
        if (recording != ownRecording) { // reading its id would take JFR's lock
            leave();
        }
    }

    /** Removes the mark for good and leaves the folder to JFR. */
    void leave() {
        shared = true; // first, because mark() may be running
        unmark();
    }

    /**
     * Marks the agent's folder and removes the folders that dead JVMs left beside it. Ignores
     * failures.
     */
    @SuppressWarnings("NullAway") // exists() was checked
    void tidy() {
        if (!exists()) {
            return;
        }
        Path own = Path.of(System.getProperty("jdk.jfr.repository"));
        try {
            if (!shared) {
                mark(own);
            }
            removeLeftOversBeside(own);
        } catch (IOException | RuntimeException notAllowed) {
            // best effort
        }
    }

    private void mark(Path folder) throws IOException {
        Path unlocked = folder.resolve(TO_BE_LOCKED);
        Path file = folder.resolve(MARK);
        FileChannel channel =
                FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Mark made = new Mark(file, channel);
        boolean marked = false;
        try {
            if (channel.tryLock() != null) {
                // not earlier: an unlocked mark means that its JVM is dead
                Files.move(unlocked, file, StandardCopyOption.ATOMIC_MOVE);
                marked = true;
            }
        } finally {
            mark.set(made);
            if (!marked || shared) {
                unmark();
                Files.deleteIfExists(unlocked);
            }
        }
    }

    private void unmark() {
        Mark removed = mark.getAndSet(null);
        if (removed != null) {
            try {
                Files.deleteIfExists(removed.file);
                removed.locked.close();
            } catch (IOException gone) {
                // removed together with its folder
            }
        }
    }

    private static void removeLeftOversBeside(Path own) throws IOException {
        Path parent = own.getParent();
        if (parent == null) {
            return;
        }
        UserPrincipal self = Files.getOwner(own, LinkOption.NOFOLLOW_LINKS);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent)) {
            for (Path folder : folders) {
                // another user's folder could become a link at any moment
                if (NAME.matcher(folder.getFileName().toString()).matches()
                        && !folder.equals(own)
                        && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(self)) {
                    removeIfLeftOver(folder);
                }
            }
        }
    }

    private static void removeIfLeftOver(Path folder) {
        Path file = folder.resolve(MARK);
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                remove(folder, file);
            }
        } catch (IOException | RuntimeException inUse) {
            // then it stays
        }
    }

    private static void remove(Path folder, Path mark) throws IOException {
        List<Path> chunks = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!file.equals(mark)) {
                    if (!file.toString().endsWith(".jfr")
                            || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                        return; // not JFR's
                    }
                    chunks.add(file);
                }
            }
        }
        for (Path chunk : chunks) {
            Files.delete(chunk);
        }
        Files.delete(mark);
        Files.delete(folder);
    }
}
