package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.log.PlainText;
import java.util.List;
import java.util.Locale;

/**
 * The groups of waiting virtual threads, as text: a summary, then each group with its folded stack.
 */
public final class ThreadsText {
    private static final String PREFIX = TextReport.PREFIX;
    private static final String LINE = TextReport.LINE;
    private static final String INDENT = "   ";

    private ThreadsText() {}

    /**
     * Returns the text, which ends with a line break.
     *
     * @param top the maximum number of groups
     * @param app prefixes of the user's own packages
     */
    public static String render(PacedThreadGroups.Reading answer, int top, List<String> app) {
        ThreadGroups threads = answer.groups();
        StringBuilder text = new StringBuilder(summary(answer));
        Folding folding = new Folding(app);
        int rank = 0;
        for (Group group : threads.groups().subList(0, Math.min(top, threads.groups().size()))) {
            append(text, ++rank, group, threads.total(), folding);
        }
        List<Group> others = threads.groups().subList(rank, threads.groups().size());
        if (!others.isEmpty()) {
            long count = others.stream().mapToLong(Group::count).sum();
            text.append(PREFIX)
                    .append(others.size() == 1 ? "1 smaller group of " : "")
                    .append(
                            others.size() == 1
                                    ? ""
                                    : String.format(
                                            Locale.ROOT, "%,d smaller groups of ", others.size()))
                    .append(threads(count))
                    .append(LINE);
        }
        return PlainText.of(text.toString());
    }

    /** Returns the text of a JVM whose threads are not known for the reason {@code why}. */
    public static String ofUnknown(String why) {
        return PlainText.of(PREFIX + "where virtual threads wait is not known: " + why + LINE);
    }

    private static String summary(PacedThreadGroups.Reading answer) {
        ThreadGroups threads = answer.groups();
        StringBuilder text = new StringBuilder(PREFIX);
        text.append(
                String.format(
                        Locale.ROOT,
                        "%s%s alive: %,d mounted, %,d ready to run, %,d waiting",
                        threads.isComplete() ? "" : "at least ",
                        counted(threads.total(), "virtual thread"),
                        threads.mounted(),
                        threads.queued(),
                        threads.waiting()));
        text.append("; read in ").append(HumanFormat.duration(threads.tookNanos()));
        if (answer.ageNanos() >= 1_000_000_000) {
            text.append(", ").append(HumanFormat.duration(answer.ageNanos())).append(" ago");
        }
        text.append(LINE);
        if (!threads.areAllKnown()) {
            text.append(PREFIX)
                    .append("threads that were started directly are missing, because the JVM runs")
                    .append(" with -Djdk.trackAllThreads=false")
                    .append(LINE);
        }
        if (threads.isSample()) {
            text.append(PREFIX)
                    .append(
                            String.format(
                                    Locale.ROOT,
                                    "sampled: %,d of %,d waiting threads, chosen at random; the"
                                            + " counts below are extrapolated",
                                    threads.sampled(),
                                    threads.waiting()))
                    .append(LINE);
        }
        if (threads.moved() > 0) {
            text.append(PREFIX)
                    .append(threads(threads.moved()))
                    .append(" ran before the stack could be read")
                    .append(LINE);
        }
        ThreadGroups.Deadlock deadlock = threads.deadlock();
        if (deadlock != null) {
            text.append(PREFIX).append("deadlock:").append(LINE);
            for (Diagnosis.Link link : deadlock.links()) {
                text.append(INDENT).append(link.inWords()).append(LINE);
            }
        }
        return text.toString();
    }

    private static void append(
            StringBuilder text, int rank, Group group, long total, Folding folding) {
        text.append(PREFIX).append(rank).append(". ").append(threads(group.count()));
        text.append(String.format(Locale.ROOT, " (%.1f %%) ", 100 * group.shareOf(total)));
        text.append(inWords(group));
        if (!group.place().isEmpty()) {
            text.append(" at ").append(group.place());
        }
        if (group.longestNanos() > 0 && group.state() != State.LOST) {
            text.append(", one seen there for ").append(HumanFormat.duration(group.longestNanos()));
        }
        text.append(LINE);
        String detail = detail(group);
        if (!detail.isEmpty()) {
            text.append(INDENT).append(detail).append(LINE);
        }
        folding.append(text, group.operation(), group.place(), group.frames());
    }

    private static String inWords(Group group) {
        return switch (group.state()) {
            case MOUNTED -> "mounted";
            case QUEUED -> "ready to run";
            case LOST ->
                    "ready to run for "
                            + HumanFormat.duration(group.longestNanos())
                            + ", in no queue: nothing will run them";
            case BLOCKED -> "blocked, waiting to enter a monitor";
            case WAITING -> "waiting in Object.wait";
            case SLEEPING -> "sleeping";
            case PARKED ->
                    group.waitsFor().equals("park")
                            ? "parked"
                            : "parked, waiting for " + group.waitsFor();
        };
    }

    private static String detail(Group group) {
        StringBuilder text = new StringBuilder();
        if (!group.operation().isEmpty() && group.state() != State.MOUNTED) {
            text.append("in ").append(group.operation());
        }
        if (group.lock() != null) {
            text.append(" of ").append(group.lock());
            if (group.locks() > 1) {
                text.append(" and ").append(group.locks() - 1).append(" more");
            }
            text.append(group.owner() == null ? "" : ", which " + group.owner() + " has");
        }
        if (!group.container().isEmpty()) {
            text.append(text.isEmpty() ? "" : "; ").append("of ").append(group.container());
            if (group.containers() > 1) {
                text.append(" and ").append(group.containers() - 1).append(" more");
            }
        }
        if (group.exampleId() > 0) {
            text.append(text.isEmpty() ? "" : "; ").append("for example ");
            if (!group.example().isEmpty()) {
                text.append('"').append(group.example()).append("\" ");
            }
            text.append('#').append(group.exampleId());
        }
        return text.toString();
    }

    private static String threads(long count) {
        return counted(count, "thread");
    }

    private static String counted(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
