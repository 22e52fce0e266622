package io.vtagent.export;

import org.jspecify.annotations.Nullable;

/** What a path answers. */
public sealed interface Content {

    /**
     * A text.
     *
     * @param fileName as what a browser is to save it, instead of showing it; null to show it
     */
    record Page(String contentType, String body, @Nullable String fileName) implements Content {
        public Page(String contentType, String body) {
            this(contentType, body, null);
        }
    }

    /** Server-sent events, as long as somebody reads them. */
    record Events(Feed feed) implements Content {}

    /** Where events come from: of one reader, for one thread. */
    interface Feed {
        /** Waits for the next event, for about a second. Null if there is none. */
        @Nullable
        String next();
    }
}
