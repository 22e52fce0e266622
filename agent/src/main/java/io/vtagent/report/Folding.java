package io.vtagent.report;

import static io.vtagent.report.TextReport.LINE;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.site.JdkCode;
import io.vtagent.site.PinnedStack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Prints stacks without frames of no interest: several frames in a row of the JDK or of frameworks
 * become a line that counts them. The holder, the caller, the operation, the user's own frames and
 * those that hold a monitor stay.
 *
 * @param app prefixes of the user's own packages; if empty, a frame is the user's own unless it is
 *     of a well-known framework
 */
record Folding(List<String> app) {
    private static final int SHORTEST = 3;
    private static final String INDENT = "      ";

    /** What IDEs expect before a frame that they make a link of. */
    static final String AT = "at ";

    private static final String JDK = "the JDK";
    private static final Pattern HIDDEN = Pattern.compile("/0x[0-9a-f]+");

    /** The packages of frameworks, whose frames lie below and between a service's own. */
    private static final List<String> FRAMEWORKS =
            List.of(
                    "akka",
                    "ch.qos.logback",
                    "com.datastax",
                    "com.fasterxml",
                    "com.google",
                    "com.mongodb",
                    "com.mysql",
                    "com.oracle",
                    "com.rabbitmq",
                    "com.sun",
                    "com.zaxxer",
                    "feign",
                    "groovy",
                    "io.dropwizard",
                    "io.grpc",
                    "io.helidon",
                    "io.lettuce",
                    "io.micrometer",
                    "io.micronaut",
                    "io.netty",
                    "io.opentelemetry",
                    "io.projectreactor",
                    "io.quarkus",
                    "io.r2dbc",
                    "io.smallrye",
                    "io.undertow",
                    "io.vertx",
                    "jakarta",
                    "javax",
                    "kotlin",
                    "kotlinx",
                    "net.bytebuddy",
                    "net.sf.cglib",
                    "okhttp3",
                    "okio",
                    "oracle.jdbc",
                    "org.apache",
                    "org.aspectj",
                    "org.codehaus",
                    "org.eclipse",
                    "org.elasticsearch",
                    "org.glassfish",
                    "org.h2",
                    "org.hibernate",
                    "org.jboss",
                    "org.jetbrains",
                    "org.jooq",
                    "org.junit",
                    "org.mariadb",
                    "org.mockito",
                    "org.postgresql",
                    "org.slf4j",
                    "org.springframework",
                    "org.thymeleaf",
                    "org.wildfly",
                    "reactor",
                    "redis.clients",
                    "retrofit2",
                    "scala",
                    "software.amazon");

    void append(StringBuilder text, PinSite site, PinnedStack stack) {
        List<String> frames = stack.frames();
        int called = calledInJdk(frames);
        int from = 0;
        for (int i = 0; i <= frames.size(); i++) {
            if (i == frames.size() || i == called || isKept(site, stack, i)) {
                appendRun(text, stack, from, i);
                if (i < frames.size()) {
                    append(text, stack, i);
                }
                from = i + 1;
            }
        }
    }

    /** Appends a stack in which no frame holds anything. */
    void append(StringBuilder text, String operation, String caller, List<String> frames) {
        append(
                text,
                new PinSite(caller, caller, operation, PinKind.PARK),
                new PinnedStack(
                        frames,
                        -1,
                        caller,
                        PinnedStack.Cause.NONE,
                        null,
                        operation,
                        null,
                        null,
                        Map.of()));
    }

    /**
     * Returns the index of the JDK's frame that the innermost frame outside the JDK called; -1 if
     * there is no frame outside the JDK, or none of the JDK above it.
     */
    private static int calledInJdk(List<String> frames) {
        int first = 0;
        while (first < frames.size() && isOfJdk(Frame.of(frames.get(first)))) {
            first++;
        }
        return first == frames.size() ? -1 : first - 1;
    }

    private boolean isKept(PinSite site, PinnedStack stack, int index) {
        String text = stack.frames().get(index);
        Frame frame = Frame.of(text);
        String method = frame.className() + "." + frame.method();
        return index == stack.holderIndex()
                || !stack.mark(index).isEmpty()
                || method.equals(site.operation())
                || isAt(site.caller(), method, frame.line())
                || group(frame).isEmpty();
    }

    private static boolean isAt(String location, String method, String line) {
        return HIDDEN.matcher(location)
                .replaceAll("")
                .equals(method + (line.isEmpty() ? ":?" : line));
    }

    /** Returns the name under which the frame is counted; empty if it is the user's own. */
    private String group(Frame frame) {
        if (isOfJdk(frame)) {
            return JDK;
        }
        String name = frame.className();
        if (app.stream().anyMatch(prefix -> isIn(name, prefix))) {
            return "";
        }
        for (String framework : FRAMEWORKS) {
            if (isIn(name, framework)) {
                return framework;
            }
        }
        return app.isEmpty() ? "" : firstPackages(name);
    }

    /** Returns whether the frame is the JDK's. Frames of JFR events have no modules. */
    private static boolean isOfJdk(Frame frame) {
        return JdkCode.ownsModule(frame.module())
                || (frame.module().isEmpty()
                        && (isIn(frame.className(), "java")
                                || isIn(frame.className(), "jdk")
                                || isIn(frame.className(), "sun")));
    }

    private static boolean isIn(String name, String prefix) {
        return name.startsWith(prefix)
                && (name.length() == prefix.length() || name.charAt(prefix.length()) == '.');
    }

    /** Returns at most the first two packages; the class if it is in none. */
    private static String firstPackages(String className) {
        int end = className.lastIndexOf('.');
        int second = className.indexOf('.', className.indexOf('.') + 1);
        return end < 0 ? className : className.substring(0, second < 0 ? end : second);
    }

    private void appendRun(StringBuilder text, PinnedStack stack, int from, int to) {
        if (to - from < SHORTEST) {
            for (int i = from; i < to; i++) {
                append(text, stack, i);
            }
            return;
        }
        Map<String, Integer> counts = new LinkedHashMap<>();
        stack.frames()
                .subList(from, to)
                .forEach(frame -> counts.merge(group(Frame.of(frame)), 1, Integer::sum));
        String before = INDENT + "... ";
        String noun = " frames";
        for (Map.Entry<String, Integer> group : counts.entrySet()) {
            int count = group.getValue();
            text.append(before)
                    .append(count)
                    .append(count == 1 && !noun.isEmpty() ? " frame" : noun)
                    .append(" of ");
            text.append(group.getKey());
            before = ", ";
            noun = "";
        }
        text.append(" ...").append(LINE);
    }

    private static void append(StringBuilder text, PinnedStack stack, int index) {
        text.append(index == stack.holderIndex() ? "   => " : INDENT)
                .append(AT)
                .append(stack.frames().get(index));
        text.append(stack.mark(index)).append(LINE);
    }
}
