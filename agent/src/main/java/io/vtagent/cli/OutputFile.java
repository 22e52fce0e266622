package io.vtagent.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that an option names for a result. */
final class OutputFile {
    private OutputFile() {}

    /**
     * Writes {@code text}, in place of what the file has.
     *
     * @throws BadInputException if that fails
     */
    static void write(Path file, String text) {
        try {
            if (Files.isDirectory(file)) {
                throw new BadInputException("cannot write " + file + ": it is a directory");
            }
            Files.writeString(file, text);
        } catch (NoSuchFileException missing) {
            throw new BadInputException("cannot write " + file + ": its directory does not exist");
        } catch (AccessDeniedException denied) {
            throw new BadInputException("cannot write " + file + ": permission denied");
        } catch (IOException failed) {
            throw new BadInputException("cannot write " + file + ": " + failed);
        }
    }
}
