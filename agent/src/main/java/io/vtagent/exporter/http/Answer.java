package io.vtagent.exporter.http;

import io.vtagent.exporter.http.Content.Page;
import java.util.Map;

/**
 * The answer to a request.
 *
 * @param headers in addition to those of every answer
 */
record Answer(int status, Content content, Map<String, String> headers) {

    static Answer of(int status, Content content) {
        return new Answer(status, content, Map.of());
    }

    static Answer text(int status, String line) {
        return of(status, new Page("text/plain; charset=utf-8", line + "\n"));
    }

    Answer with(String header, String value) {
        return new Answer(status, content, Map.of(header, value));
    }
}
