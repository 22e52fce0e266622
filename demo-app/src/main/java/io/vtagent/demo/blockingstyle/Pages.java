package io.vtagent.demo.blockingstyle;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Pages with images that are fetched and processed, for {@link BlockingStyleDemo}, which has the
 * styles to do it in.
 */
abstract class Pages {

    private static final String DEMO = "io.vtagent.demo.";

    /** The number of a page that cannot be processed. */
    private static final int BROKEN = -1;

    final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final LongAdder processed = new LongAdder();
    private final InetSocketAddress server;

    Pages(InetSocketAddress server) {
        this.server = server;
    }

    /** Does all of it, for one page. */
    abstract void page(int number) throws Exception;

    /** Does it for many, and gives the seconds that it took. */
    abstract double run(int pages) throws InterruptedException;

    final HttpRequest request(String path) {
        String address = server.getAddress().getHostAddress() + ':' + server.getPort();
        return HttpRequest.newBuilder(URI.create("http://" + address + path)).build();
    }

    final String imageIn(String page) {
        return page.replace("This is /pages/", "/images/");
    }

    final void process(String page, byte[] image) {
        if (page.endsWith("/" + BROKEN)) {
            throw new IllegalStateException(
                    "the page that cannot be processed, with " + image.length + " bytes");
        }
        processed.increment();
    }

    final void reset() {
        processed.reset();
    }

    final long processed() {
        return processed.sum();
    }

    /**
     * Returns how many frames of the demo are in the stack trace of a page that cannot be
     * processed.
     */
    final int framesOfAFailure() throws Exception {
        try {
            page(BROKEN);
            throw new AssertionError("it did not fail");
        } catch (IllegalStateException | CompletionException failure) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return (int)
                    Stream.of(cause.getStackTrace())
                            .filter(frame -> frame.getClassName().startsWith(DEMO))
                            .count();
        }
    }
}
