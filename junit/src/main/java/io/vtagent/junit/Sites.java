package io.vtagent.junit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats pins as text, grouped by site. Stack lines have the form that IDEs link. */
final class Sites {
    private static final int MAX_SITES = 20;

    private Sites() {}

    private record Site(PinKind kind, String holder, String caller, String operation) {}

    /** Returns the number of pins and their total time: {@code 3 pins, 12.0 ms}. */
    static String amount(List<Pin> pins) {
        return pins.size() + (pins.size() == 1 ? " pin, " : " pins, ") + Amount.of(Pins.held(pins));
    }

    static String inWords(List<Pin> pins) {
        Map<Site, List<Pin>> sites = new LinkedHashMap<>();
        for (Pin pin : pins) {
            Site site = new Site(pin.kind(), pin.holder(), pin.caller(), pin.operation());
            sites.computeIfAbsent(site, unused -> new ArrayList<>()).add(pin);
        }
        List<List<Pin>> longestFirst =
                sites.values().stream()
                        .sorted(
                                Comparator.comparing((List<Pin> each) -> Pins.held(each))
                                        .reversed())
                        .toList();
        StringBuilder text = new StringBuilder(amount(pins));
        int number = 0;
        for (List<Pin> site : longestFirst.subList(0, Math.min(longestFirst.size(), MAX_SITES))) {
            number++;
            append(text.append('\n').append(number).append(". "), site);
        }
        if (longestFirst.size() > MAX_SITES) {
            List<Pin> rest =
                    longestFirst.subList(MAX_SITES, longestFirst.size()).stream()
                            .flatMap(Collection::stream)
                            .toList();
            text.append("\nand ")
                    .append(longestFirst.size() - MAX_SITES)
                    .append(" more sites: ")
                    .append(amount(rest));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<Pin> pins) {
        Pin longest = pins.stream().max(Comparator.comparing(Pin::held)).orElseThrow();
        text.append(longest.holder())
                .append("  ")
                .append(longest.kind())
                .append(": ")
                .append(amount(pins));
        if (pins.size() > 1) {
            text.append(", longest ").append(Amount.of(longest.held()));
        }
        long unended = pins.stream().filter(Pin::inProgress).count();
        if (unended > 0) {
            text.append(", ").append(unended).append(" in progress");
        }
        line(text, "caller", longest.caller());
        line(text, "blocked in", longest.operation());
        line(text, "monitor", longest.monitor());
        line(text, "native frame", longest.nativeFrame());
        line(text, "reason", longest.reason().equals("none") ? "" : longest.reason());
        line(text, "counts only where strict", longest.incidental());
        line(text, "compensated", compensated(pins));
        line(text, "thread", thread(longest));
        line(text, "advice", longest.advice());
        for (String frame : longest.stack()) {
            text.append("\n      at ").append(frame);
        }
        if (longest.stack().isEmpty()) {
            text.append("\n      (its stack is not known)");
        }
    }

    private static String compensated(List<Pin> pins) {
        long made = pins.stream().filter(Pin::compensated).count();
        return made == 0 ? "" : made + " of " + pins.size() + ", by another carrier";
    }

    private static String thread(Pin pin) {
        return pin.threadId() == 0 ? pin.thread() : (pin.thread() + " #" + pin.threadId()).trim();
    }

    private static void line(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append("\n   ").append(name).append(": ").append(value);
        }
    }
}
