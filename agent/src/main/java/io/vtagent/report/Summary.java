package io.vtagent.report;

import static io.vtagent.report.TextReport.LINE;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Starved;
import io.vtagent.report.PinReport.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The part of the report that fits on a screen: how much time was held, by what, and the sites
 * where most of it was.
 */
final class Summary {
    static final int COLUMNS = 100;
    static final int LINES = 24;

    private static final int MAX_SITES = 5;
    private static final int MAX_KINDS = 4;

    /** The whole verdict was logged when it was found. */
    private static final int MAX_LINES_OF_VERDICT = 2;

    /** The advice of the answer takes two lines. */
    private static final int MAX_ADVICE = 190;

    private static final String INDENT = "  ";
    private static final String OF_SITE = "     ";

    private final PinReport report;

    private Summary(PinReport report) {
        this.report = report;
    }

    /** Returns the summary, which ends with a line break. */
    static String of(PinReport report) {
        Summary summary = new Summary(report);
        List<String> lines = new ArrayList<>(summary.figures());
        List<String> further = summary.further();
        lines.addAll(
                summary.kinds(LINES - lines.size() - further.size() - summary.wantedForSites()));
        lines.addAll(further);
        lines.addAll(summary.sites(LINES - lines.size()));
        return String.join(LINE, lines) + LINE;
    }

    /** Returns the lines of the answer; none if it would not add anything to the report itself. */
    static List<String> answer(PinReport report) {
        List<String> lines = new ArrayList<>();
        Answer answer = report.answer();
        if (answer != null && answer.kind() != Answer.Kind.NOTHING) {
            add(lines, TextReport.PREFIX, answer.text());
            String advice = answer.advice();
            if (advice != null) {
                add(lines, INDENT, TextTruncation.cut(advice, MAX_ADVICE));
            }
        }
        return lines;
    }

    private List<String> figures() {
        String share = share();
        List<String> lines = answer(report);
        add(
                lines,
                TextReport.PREFIX,
                "carriers were held for "
                        + HumanFormat.duration(report.nanos())
                        + " by "
                        + HumanFormat.pins(report.count())
                        + " in "
                        + HumanFormat.duration(report.uptimeNanos())
                        + (share.isEmpty() ? "" : ": " + share));
        long carriers = report.scheduler().parallelism();
        String scheduler =
                carriers == 0 ? "" : ", " + carriers + (carriers == 1 ? " carrier" : " carriers");
        add(
                lines,
                INDENT,
                "JDK " + report.jvm().java() + scheduler + "; " + report.jvm().pinningMode());
        ActivePinTotals pins = report.inProgress();
        if (pins.count() > 0) {
            add(
                    lines,
                    INDENT,
                    "of that "
                            + HumanFormat.duration(pins.nanos())
                            + " by "
                            + HumanFormat.inProgress(pins));
        }
        String usage = HumanFormat.carriers(report.carriers());
        if (!usage.isEmpty()) {
            add(lines, INDENT, usage);
        }
        String waited = HumanFormat.waited(report.carriers());
        if (!waited.isEmpty()) {
            add(lines, INDENT, waited);
        }
        return lines;
    }

    /** Returns the share of the scheduler's time; empty if that is not known. */
    private String share() {
        if (report.scheduler().parallelism() == 0) {
            return "";
        }
        double share = report.lostShare();
        if (share == 0) {
            return "0 % of the scheduler lost";
        }
        if (share < 0.0005) {
            return "less than 0.1 % of the scheduler lost";
        }
        return String.format(Locale.ROOT, "%.1f %% of the scheduler lost", 100 * share);
    }

    /** Returns as many kinds as there is room for, at least one, and the sum of the others. */
    private List<String> kinds(int room) {
        int shown = Math.min(MAX_KINDS, report.totals().size());
        List<String> lines = kindsUpTo(shown);
        while (lines.size() > room && shown > 1) {
            lines = kindsUpTo(--shown);
        }
        return lines;
    }

    private List<String> kindsUpTo(int shown) {
        List<Total> totals = report.totals();
        List<String> lines = new ArrayList<>();
        for (Total total : totals.subList(0, shown)) {
            add(lines, INDENT, keyOf(total.key()) + ": " + HumanFormat.figures(total.figures()));
        }
        if (shown < totals.size()) {
            List<Total> more = totals.subList(shown, totals.size());
            add(
                    lines,
                    INDENT,
                    "and "
                            + more.size()
                            + (more.size() == 1 ? " more kind: " : " more kinds: ")
                            + sum(more.stream().map(Total::figures).toList()));
        }
        return lines;
    }

    private List<String> further() {
        List<String> lines = new ArrayList<>();
        if (report.jvm().monitorsPin()) {
            add(lines, INDENT, report.forecast().inWords());
        }
        addStarved(lines);
        String delayed = HumanFormat.delayed(report.delayed());
        if (!delayed.isEmpty()) {
            add(lines, INDENT, delayed);
        }
        if (report.relieved().on()) {
            add(lines, INDENT, HumanFormat.relieved(report.relieved()));
        }
        String rest = report.restInWords();
        for (String clause :
                List.of(
                        rest,
                        report.unattributedInWords(),
                        report.jvmInWords(),
                        report.rareInWords(),
                        report.scheduler().threadsInWords())) {
            if (!clause.isEmpty()) {
                add(lines, INDENT, clause);
            }
        }
        return lines;
    }

    private void addStarved(List<String> lines) {
        Starved starved = report.starved();
        if (starved.periods() > 0) {
            add(
                    lines,
                    INDENT,
                    "every carrier was held with work queued: "
                            + HumanFormat.duration(starved.nanos())
                            + " in "
                            + starved.periods()
                            + (starved.periods() == 1 ? " period" : " periods"));
        }
        Diagnosis diagnosis = starved.diagnosis();
        if (diagnosis != null) {
            List<String> verdict = new ArrayList<>();
            add(verdict, INDENT, (starved.now() ? "" : "last time (over): ") + diagnosis.verdict());
            if (verdict.size() > MAX_LINES_OF_VERDICT) {
                String last = verdict.get(MAX_LINES_OF_VERDICT - 1);
                verdict.set(
                        MAX_LINES_OF_VERDICT - 1,
                        TextTruncation.cut(last + " " + ".".repeat(COLUMNS), COLUMNS));
            }
            lines.addAll(verdict.subList(0, Math.min(verdict.size(), MAX_LINES_OF_VERDICT)));
            if (diagnosis.remedy() != null && (starved.now() || !report.relieved().on())) {
                add(lines, INDENT, diagnosis.remedy());
            }
        }
    }

    private int wantedForSites() {
        int sites = report.sitesOfNote().size();
        return 2 * Math.min(MAX_SITES, sites) + (sites > MAX_SITES ? 1 : 0);
    }

    /**
     * Returns as many sites as there is room for, at least one, in two lines each, and the sum of
     * the others.
     */
    private List<String> sites(int room) {
        List<String> lines = new ArrayList<>();
        List<Held> sites = report.sitesOfNote();
        int shown = Math.min(MAX_SITES, sites.size());
        while (shown > 1 && 2 * shown + (shown < sites.size() ? 1 : 0) > room) {
            shown--;
        }
        for (int i = 0; i < shown; i++) {
            add(lines, i + 1, sites.get(i));
        }
        if (shown < sites.size()) {
            List<Held> more = sites.subList(shown, sites.size());
            add(
                    lines,
                    INDENT,
                    "and "
                            + more.size()
                            + (more.size() == 1 ? " more site: " : " more sites: ")
                            + sum(more.stream().map(Held::figures).toList()));
        }
        return lines;
    }

    private void add(List<String> lines, int rank, Held held) {
        Figures figures = held.figures();
        String number = INDENT + rank + ". ";
        String what =
                "  "
                        + held.site().kind().label()
                        + ": "
                        + HumanFormat.pins(figures.count())
                        + ", "
                        + HumanFormat.duration(figures.nanos(), figures.isEstimated())
                        + " ("
                        + percent(figures.nanos())
                        + ")"
                        + (held.waitedNanos() < HumanFormat.MIN_WAITED_NANOS
                                ? ""
                                : ", others waited " + HumanFormat.duration(held.waitedNanos()))
                        + onUpgrade(held);
        lines.add(
                number
                        + TextTruncation.name(
                                held.site().caller(), COLUMNS - number.length() - what.length())
                        + what);
        lines.add(OF_SITE + TextTruncation.advice(held.advice(), COLUMNS - OF_SITE.length()));
    }

    private String percent(long nanos) {
        long percent = Math.round(100.0 * nanos / Math.max(report.nanos(), 1));
        return percent == 0 ? "less than 1 %" : percent + " %";
    }

    private String onUpgrade(Held held) {
        if (!report.jvm().monitorsPin()) {
            return "";
        }
        return switch (held.onUpgrade()) {
            case GOES -> ", gone on JDK 24";
            case STAYS -> ", stays on JDK 24";
            case UNKNOWN -> "";
        };
    }

    private static String keyOf(PinKey key) {
        return key.kind().label()
                + ", "
                + key.reason().label()
                + (key.compensated() ? ", compensated" : "");
    }

    private static String sum(List<Figures> all) {
        long count = all.stream().mapToLong(Figures::count).sum();
        long nanos = all.stream().mapToLong(Figures::nanos).sum();
        return HumanFormat.pins(count) + ", " + HumanFormat.duration(nanos);
    }

    /** Adds {@code text}, in several lines if it is too long for one. */
    private static void add(List<String> lines, String start, String text) {
        StringBuilder line = new StringBuilder(start);
        boolean begun = false;
        for (String word : text.split(" ", -1)) {
            if (begun && line.length() + 1 + word.length() > COLUMNS) {
                lines.add(line.toString());
                line = new StringBuilder(INDENT + INDENT);
                begun = false;
            }
            line.append(begun ? " " : "").append(word);
            begun = true;
        }
        lines.add(line.toString());
    }
}
