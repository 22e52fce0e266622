package io.vtagent.cli;

import io.vtagent.options.Token;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The endpoint of an agent, as a source of reports.
 *
 * @param base the URL without a path
 * @param name the name for messages: the URL, or the process
 */
record EndpointSource(URI base, String name, @Nullable Token token, Duration timeout)
        implements ReportSource {
    private static final int MAX_ERROR = 200;

    @Override
    public boolean isLive() {
        return true;
    }

    @Override
    public String json(boolean stacks) {
        return get(stacks ? "/api/report" : "/api/report?stacks=off");
    }

    @Override
    public String history() {
        return get("/api/history");
    }

    /**
     * Returns where the virtual threads wait.
     *
     * @param json whether as JSON and not as text
     * @param top the number of groups; null for the endpoint's default
     */
    String threads(boolean json, @Nullable Integer top) {
        return get((json ? "/api/threads" : "/threads") + (top == null ? "" : "?top=" + top));
    }

    private String get(String path) {
        int millis = Math.toIntExact(timeout.toMillis());
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) base.resolve(path).toURL().openConnection();
            connection.setInstanceFollowRedirects(false);
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            if (token != null) {
                connection.setRequestProperty("Authorization", "Bearer " + token.value());
            }
            return body(connection);
        } catch (SocketTimeoutException slow) {
            throw new BadInputException(
                    base + " did not answer within " + millis + " ms; --timeout allows more time");
        } catch (UnknownHostException unknown) {
            throw new BadInputException("the host of " + base + " is not known");
        } catch (ConnectException refused) {
            throw new BadInputException(
                    "nothing listens at "
                            + base
                            + ", expected the endpoint of a JVM with vt-agent");
        } catch (IOException | IllegalArgumentException failed) {
            throw new BadInputException(
                    base + " does not answer like vt-agent: " + failed.getMessage());
        }
    }

    private String body(HttpURLConnection connection) throws IOException {
        int status = connection.getResponseCode();
        if (status == HttpURLConnection.HTTP_OK) {
            try (InputStream in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw new BadInputException(
                    token == null
                            ? base
                                    + " requires a token: set --token, or VTAGENT_TOKEN in the"
                                    + " environment"
                            : base + " rejects this token");
        }
        String sentence = sentence(connection);
        throw new BadInputException(
                base
                        + " is not vt-agent's endpoint, or refuses the request: it answers "
                        + status
                        + (sentence.isEmpty() ? "" : " (" + sentence + ")"));
    }

    /** Returns the first line of the error response if it is plain text, otherwise nothing. */
    private static String sentence(HttpURLConnection connection) throws IOException {
        try (InputStream in = connection.getErrorStream()) {
            if (in == null) {
                return "";
            }
            String text = new String(in.readNBytes(MAX_ERROR), StandardCharsets.UTF_8);
            String line = text.lines().findFirst().orElse("").strip();
            return line.startsWith("<") || line.chars().anyMatch(Character::isISOControl)
                    ? ""
                    : line;
        }
    }
}
