package io.vtagent.it;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The requests of a page and its errors. Events of its workers are not received. */
final class PageLog {
    /**
     * Neither {@code data:} nor {@code blob:} is sent to a host, and not all that a browser
     * requests is a URI to Java.
     */
    private static final Pattern REMOTE = Pattern.compile("\\w+://([^/?#]+)");

    private final List<String> errors = new ArrayList<>();
    private final Set<String> hosts = new LinkedHashSet<>();

    synchronized void onEvent(DevTools.Event event) {
        Json params = event.params();
        switch (event.method()) {
            case "Runtime.consoleAPICalled" -> onConsole(params);
            case "Runtime.exceptionThrown" -> errors.add(describe(params.get("exceptionDetails")));
            case "Log.entryAdded" -> onEntry(params.get("entry"));
            case "Network.requestWillBeSent" ->
                    onRequest(params.get("request").get("url").string());
            case "Network.webSocketCreated" -> onRequest(params.get("url").string());
            default -> {
                // all is well
            }
        }
    }

    private void onConsole(Json call) {
        String type = call.get("type").string();
        if (type.equals("error") || type.equals("assert")) {
            errors.add(
                    call.get("args").list().stream()
                            .map(PageLog::shown)
                            .collect(Collectors.joining(" ")));
        }
    }

    static String describe(Json exceptionDetails) {
        Json exception = exceptionDetails.get("exception");
        return exception.value() != null ? shown(exception) : exceptionDetails.get("text").string();
    }

    private static String shown(Json value) {
        Json description = value.get("description");
        return String.valueOf(
                description.value() != null ? description.value() : value.get("value").value());
    }

    /**
     * Records the browser's own errors: requests without an answer, or with 404 and the like, and
     * violations of the policy.
     */
    private void onEntry(Json entry) {
        if (entry.get("level").string().equals("error")) {
            errors.add(entry.get("text").string() + " (" + entry.get("url").value() + ")");
        }
    }

    private void onRequest(String url) {
        Matcher remote = REMOTE.matcher(url);
        if (remote.lookingAt()) {
            hosts.add(remote.group(1));
        }
    }

    synchronized List<String> errors() {
        return List.copyOf(errors);
    }

    synchronized List<String> hosts() {
        return List.copyOf(hosts);
    }

    synchronized void clear() {
        errors.clear();
        hosts.clear();
    }
}
