package io.vtagent.demo.launch;

/** Elements that a page and its charts have in common. */
final class Html {

    private Html() {}

    /** {@code text} as it has to stand in a page to be read as it is. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
