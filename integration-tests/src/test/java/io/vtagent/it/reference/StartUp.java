package io.vtagent.it.reference;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.text.Collator;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * {@link MixedWorkload}; but the first thing that each thread does is what services do when they
 * start: use a part of the JDK for the first time.
 */
final class StartUp implements Workload {
    private static final List<Callable<?>> FIRST_USES =
            List.of(
                    HttpClient::newHttpClient,
                    SSLContext::getDefault,
                    () -> Collator.getInstance(Locale.FRENCH).compare("a", "b"),
                    () ->
                            DateTimeFormatter.ofLocalizedDateTime(FormatStyle.FULL)
                                    .format(ZonedDateTime.now(ZoneOffset.UTC)),
                    () -> Logger.getLogger("start").getParent(),
                    () ->
                            DocumentBuilderFactory.newInstance()
                                    .newDocumentBuilder()
                                    .parse(
                                            new ByteArrayInputStream(
                                                    "<a/>".getBytes(StandardCharsets.UTF_8))));

    private final MixedWorkload mix;

    StartUp(int threads, Duration limit) throws Exception {
        mix = new MixedWorkload(threads, limit);
    }

    @Override
    public void hold(int thread, int round) throws Exception {
        if (round == 0) {
            FIRST_USES.get(thread % FIRST_USES.size()).call();
        }
        mix.hold(thread, round);
    }

    @Override
    public void close() throws IOException {
        mix.close();
    }
}
