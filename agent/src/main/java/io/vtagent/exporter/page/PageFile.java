package io.vtagent.exporter.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The files that the page consists of, in the order in which modules need each other. The last ones
 * are those of the page of a comparison.
 */
public enum PageFile {
    INDEX("index.html"),
    ICON("icon.svg"),
    STYLE("page.css"),
    CHARTS("chart.umd.min.js"),
    ADDRESS("address.js"),
    DOM("dom.js"),
    FORMAT("format.js"),
    FRAME("frame.js"),
    KINDS("kinds.js"),
    STATES("states.js"),
    SOURCE("source.js"),
    PERIOD("period.js"),
    NOW("now.js"),
    ANSWER("answer.js"),
    STUCK("stuck.js"),
    TIMELINE("timeline.js"),
    TOTALS("totals.js"),
    DURATIONS("durations.js"),
    SITE("site.js"),
    SITES("sites.js"),
    COMPARISON("comparison.js"),
    FLAME("flame.js"),
    DIFFERENCE("difference.js"),
    BUSY("busy.js"),
    RELIEF("relief.js"),
    THREADS("threads.js"),
    MAIN("main.js"),
    DIFF_INDEX("diff.html"),
    DIFF("diff.js");

    private final String fileName;

    PageFile(String fileName) {
        this.fileName = fileName;
    }

    public String fileName() {
        return fileName;
    }

    /** Returns the content type. */
    public String contentType() {
        return switch (fileName.substring(fileName.lastIndexOf('.'))) {
            case ".js" -> "text/javascript; charset=utf-8";
            case ".css" -> "text/css; charset=utf-8";
            case ".svg" -> "image/svg+xml";
            default -> "text/html; charset=utf-8";
        };
    }

    /** Returns whether the page that an agent serves needs it. */
    public boolean isServed() {
        return this != DIFF_INDEX && this != DIFF;
    }

    boolean isModule() {
        return fileName.endsWith(".js") && this != CHARTS;
    }

    /** Its text, read anew. */
    public String text() {
        try (InputStream in = PageFile.class.getResourceAsStream(fileName)) {
            if (in == null) {
                throw new IllegalStateException("the agent's jar has no " + fileName);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
