package io.vtagent.it;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What a page has asked for, and what went wrong in it. What its workers do is not heard. */
final class PageLog {
    private final List<String> errors = new ArrayList<>();
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Map<String, String> urls = new LinkedHashMap<>();

    synchronized void hear(DevTools.Event event) {
        Json params = event.params();
        switch (event.method()) {
            case "Runtime.consoleAPICalled" -> onConsole(params);
            case "Runtime.exceptionThrown" -> onException(params.get("exceptionDetails"));
            case "Log.entryAdded" -> onEntry(params.get("entry"));
            case "Network.requestWillBeSent" ->
                onRequest(
                        params.get("requestId").string(),
                        params.get("request").get("url").string());
            case "Network.webSocketCreated" ->
                onRequest(params.get("requestId").string(), params.get("url").string());
            case "Network.loadingFailed" -> onFailure(params);
            default -> {
                // all is well
            }
        }
    }

    private void onConsole(Json call) {
        String type = call.get("type").string();
        if (type.equals("error") || type.equals("assert")) {
            errors.add(call.get("args").list().stream().map(PageLog::shown).collect(Collectors.joining(" ")));
        }
    }

    private static String shown(Json value) {
        Json description = value.get("description");
        return String.valueOf(
                description.value() != null
                        ? description.value()
                        : value.get("value").value());
    }

    private void onException(Json details) {
        errors.add(
                details.get("exception").value() != null
                        ? shown(details.get("exception"))
                        : details.get("text").string());
    }

    /** What the browser itself has to say: answers such as 404, and violations of the Content-Security-Policy. */
    private void onEntry(Json entry) {
        if (entry.get("level").string().equals("error")) {
            errors.add(entry.get("text").string() + " (" + entry.get("url").value() + ")");
        }
    }

    private void onRequest(String id, String url) {
        urls.put(id, url);
        String host = url.startsWith("data:") ? null : URI.create(url).getRawAuthority();
        if (host != null) {
            hosts.add(host);
        }
    }

    private void onFailure(Json failure) {
        // a page that gives way to another leaves requests behind
        if (!Boolean.TRUE.equals(failure.get("canceled").value())) {
            errors.add(urls.get(failure.get("requestId").string()) + ": "
                    + failure.get("errorText").string());
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
        urls.clear();
    }
}
