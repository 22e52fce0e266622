package io.vtagent.export;

import io.vtagent.export.Endpoint.Page;
import java.util.Map;

/**
 * What a request is answered.
 *
 * @param headers beside those of every answer
 */
record Answer(int status, Page page, Map<String, String> headers) {

    static Answer of(int status, Page page) {
        return new Answer(status, page, Map.of());
    }

    static Answer text(int status, String line) {
        return of(status, new Page("text/plain; charset=utf-8", line + "\n"));
    }

    Answer with(String header, String value) {
        return new Answer(status, page, Map.of(header, value));
    }
}
