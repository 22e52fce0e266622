package io.vtagent.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A report in a file. */
record FileSource(Path file) implements ReportSource {
    /** A limit far above the size of a report, which has some hundred kilobytes. */
    private static final long MAX_BYTES = 256L << 20;

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public boolean isLive() {
        return false;
    }

    @Override
    public String json(boolean stacks) {
        try {
            if (Files.isDirectory(file)) {
                throw new BadInputException(
                        file + " is a directory, expected a report as a JSON file");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new BadInputException(
                        file + " is not a regular file, expected a report as a JSON file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new BadInputException(file + " is too large to be a report");
            }
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw new BadInputException(
                    "there is no file "
                            + file
                            + ", expected the URL of an endpoint, a process id or a report as a"
                            + " JSON file");
        } catch (CharacterCodingException binary) {
            throw new BadInputException(file + " is not text, expected a report as a JSON file");
        } catch (IOException unreadable) {
            throw new BadInputException(file + " cannot be read: " + unreadable.getMessage());
        }
    }

    @Override
    public String history() {
        return "{}";
    }
}
