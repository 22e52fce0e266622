package io.vtagent.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of an OTLP receiver for metrics. {@link #toString} omits its path and query, because they
 * may contain a key.
 *
 * @param tls whether the scheme is https
 * @param host a name or an address, without brackets
 * @param target the path and query, in the form of a request
 */
public record OtlpUrl(boolean tls, String host, int port, String target) {
    /** The default path of OTLP over HTTP for metrics. */
    private static final String METRICS = "/v1/metrics";

    private static final int MAX_LENGTH = 2_048;
    private static final int MAX_PORTS = 65_535;

    /**
     * The host and port. {@code URI.getHost()} is not used because it rejects names with an
     * underscore, which containers have. A user name does not match.
     */
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?");

    /** Returns null if {@code text} is no such URL. */
    static @Nullable OtlpUrl of(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException noUrl) {
            return null;
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        String authority = uri.getRawAuthority();
        if (!(tls || scheme.equals("http"))
                || authority == null
                || uri.getRawFragment() != null
                || text.length() > MAX_LENGTH) {
            return null;
        }
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            return null;
        }
        int port = parts.group(3) == null ? (tls ? 443 : 80) : Integer.parseInt(parts.group(3));
        if (port < 1 || port > MAX_PORTS) {
            return null;
        }
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return new OtlpUrl(tls, host, port, target(uri));
    }

    private static String target(URI uri) {
        URI ascii = URI.create(uri.toASCIIString()); // a request has no other characters
        String path = ascii.getRawPath();
        String query = ascii.getRawQuery();
        return (path.isEmpty() || path.equals("/") ? METRICS : path)
                + (query == null ? "" : "?" + query);
    }

    /** Returns the host and port in the form of a URL. */
    public String authority() {
        String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    /** Returns the URL for messages, without its path and query. */
    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + authority();
    }
}
