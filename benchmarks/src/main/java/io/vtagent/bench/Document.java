package io.vtagent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a person wrote about the costs, with the part between two marks that a run writes. */
final class Document {
    private static final String BEGIN = "<!-- from here on as benchmarks/run wrote it -->\n";
    private static final String END = "<!-- to here -->\n";

    private final Path file;

    /**
     * @throws IllegalArgumentException if the file lacks the marks
     */
    Document(Path file) throws IOException {
        this.file = file;
        String text = Files.readString(file);
        if (!text.contains(BEGIN) || text.indexOf(END) < text.indexOf(BEGIN)) {
            throw new IllegalArgumentException(
                    file + " lacks the marks " + BEGIN.strip() + " and " + END.strip());
        }
    }

    void replace(String measured) throws IOException {
        String text = Files.readString(file);
        String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String after = text.substring(text.indexOf(END));
        Files.writeString(file, before + "\n" + measured + after);
    }
}
