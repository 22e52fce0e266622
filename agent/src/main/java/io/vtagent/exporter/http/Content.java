package io.vtagent.exporter.http;

import org.jspecify.annotations.Nullable;

/** The content that a path serves. */
public sealed interface Content {

    /**
     * A page of text.
     *
     * @param fileName the name under which a browser saves the page instead of showing it; null to
     *     show it
     */
    record Page(String contentType, String body, @Nullable String fileName) implements Content {
        public Page(String contentType, String body) {
            this(contentType, body, null);
        }
    }

    /** Server-sent events, until the client disconnects. */
    record Events(Feed feed) implements Content {}

    /** The source of the events for one client. For one thread. */
    interface Feed {
        /** Waits up to about two seconds for the next event. Returns null if there is none. */
        @Nullable String next();
    }
}
