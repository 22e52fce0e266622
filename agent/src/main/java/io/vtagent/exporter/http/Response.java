package io.vtagent.exporter.http;

import io.vtagent.exporter.http.Content.Page;
import java.util.Map;

/**
 * The response to a request.
 *
 * @param headers in addition to those of every response
 */
record Response(int status, Content content, Map<String, String> headers) {

    static Response of(int status, Content content) {
        return new Response(status, content, Map.of());
    }

    static Response text(int status, String line) {
        return of(status, new Page("text/plain; charset=utf-8", line + "\n"));
    }

    Response with(String header, String value) {
        return new Response(status, content, Map.of(header, value));
    }
}
