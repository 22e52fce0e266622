package io.vtagent.exporter.http;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may be answered. On a loopback address a request must name this machine.
 * This prevents DNS rebinding: a web page can make its own name resolve to 127.0.0.1 and so make a
 * browser send requests here, but it cannot forge the {@code Host} header. Thread-safe.
 */
final class Guard {
    private static final String LOCAL = "localhost\\.?|127(\\.\\d{1,3}){3}|\\[(::|(0:){7})1]";
    private static final String SCHEME = "Bearer ";

    private final @Nullable Pattern local;
    private final byte @Nullable [] token;

    /**
     * @param token null if none is required
     */
    Guard(InetAddress bound, @Nullable String token) {
        local = bound.isLoopbackAddress() ? local(bound) : null;
        this.token = token == null ? null : token.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Pattern local(InetAddress bound) {
        // the name as it was given, before the slash; getHostName would query the DNS
        String text = bound.toString();
        String name = text.substring(0, text.indexOf('/'));
        return Pattern.compile(
                "(" + LOCAL + (name.isEmpty() ? "" : "|" + Pattern.quote(name)) + ")(:\\d{0,5})?",
                Pattern.CASE_INSENSITIVE);
    }

    /** Returns the answer that refuses the request, or null if it is acceptable. */
    @Nullable Response refusal(HttpRequest request) {
        Header[] hosts = request.getHeaders("Host");
        boolean optional = request.getVersion().lessEquals(HttpVersion.HTTP_1_0);
        if (hosts.length > 1 || (hosts.length == 0 && !optional)) {
            return Response.text(HttpStatus.SC_BAD_REQUEST, "expected one Host header");
        }
        URIAuthority target = request.getAuthority();
        if ((hosts.length > 0 && !isLocal(hosts[0].getValue()))
                || (target != null && !isLocal(target.toString()))) {
            return Response.text(
                    HttpStatus.SC_MISDIRECTED_REQUEST,
                    "this endpoint serves this machine only: expected localhost, 127.0.0.1 or"
                            + " [::1] in the Host header; the agent's option bind opens it to"
                            + " another network");
        }
        return null;
    }

    private boolean isLocal(@Nullable String host) {
        return local == null || (host != null && local.matcher(host).matches());
    }

    /** Returns the answer to a request without the token, or null if the request is authorized. */
    @Nullable Response unauthorized(HttpRequest request) {
        if (token == null || isTheToken(token, request.getHeaders("Authorization"))) {
            return null;
        }
        return Response.text(
                        HttpStatus.SC_UNAUTHORIZED,
                        "expected the header Authorization: Bearer TOKEN")
                .with("WWW-Authenticate", "Bearer realm=\"vt-agent\"");
    }

    private static boolean isTheToken(byte[] token, Header[] given) {
        String value = given.length == 1 ? given[0].getValue() : null;
        // constant-time, so that timing does not reveal how much of the token is right
        return value != null
                && value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        token,
                        value.substring(SCHEME.length())
                                .strip()
                                .getBytes(StandardCharsets.ISO_8859_1));
    }
}
