package io.vtagent.cli;

import io.vtagent.options.Durations;
import io.vtagent.pin.PinKind;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that a report must not exceed.
 *
 * @param maxShare the part of the scheduler's time that may be lost to held carriers; negative for
 *     no limit
 * @param maxWaitingNanos how long virtual threads may be queued because of held carriers, summed
 *     over the threads; negative for no limit
 * @param maxLongestNanos how long a pin may last; negative for no limit
 * @param forbidden prefixes that no site and no caller may have
 */
record Limits(double maxShare, long maxWaitingNanos, long maxLongestNanos, List<String> forbidden) {

    static Limits parse(
            @Nullable String maxShare,
            @Nullable String maxWaiting,
            @Nullable String maxLongest,
            List<String> forbidden) {
        if (maxShare == null && maxWaiting == null && maxLongest == null && forbidden.isEmpty()) {
            throw new BadInputException(
                    "there is nothing to check, expected --max-share, --max-waiting,"
                            + " --max-longest or --no-site");
        }
        double share = maxShare == null ? -1 : Percentage.parse(maxShare);
        if (maxShare != null && share < 0) {
            throw new BadInputException(
                    "--max-share is \"" + maxShare + "\", expected a percentage such as 1%");
        }
        return new Limits(
                share,
                duration("--max-waiting", maxWaiting, "10s"),
                duration("--max-longest", maxLongest, "50ms"),
                forbidden.stream().map(Limits::prefix).distinct().toList());
    }

    /** Returns the nanoseconds of {@code given}; negative if that is null. */
    private static long duration(String limit, @Nullable String given, String example) {
        long nanos = given == null ? -1 : Durations.parse(given);
        if (given != null && nanos < 0) {
            throw new BadInputException(
                    limit + " is \"" + given + "\", expected a duration such as " + example);
        }
        return nanos;
    }

    /** Returns {@code com.acme} for {@code com.acme.} and {@code com.acme.*}. */
    private static String prefix(String given) {
        String prefix = given.strip().replaceFirst("\\.*\\*?$", "");
        if (prefix.isEmpty()) {
            throw new BadInputException(
                    "--no-site is \""
                            + given
                            + "\", expected the full name of a package, class or method");
        }
        return prefix;
    }

    /** Returns a name for each limit, as in {@link Finding#limit}. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        if (maxShare >= 0) {
            names.add(shareLimit());
        }
        if (maxWaitingNanos >= 0) {
            names.add(waitingLimit());
        }
        if (maxLongestNanos >= 0) {
            names.add(longestLimit());
        }
        forbidden.forEach(prefix -> names.add(noSite(prefix)));
        return names;
    }

    private String shareLimit() {
        return "--max-share " + Percentage.of(maxShare);
    }

    private String waitingLimit() {
        return "--max-waiting " + HumanFormat.duration(maxWaitingNanos);
    }

    private String longestLimit() {
        return "--max-longest " + HumanFormat.duration(maxLongestNanos);
    }

    private static String noSite(String prefix) {
        return "--no-site " + prefix;
    }

    /**
     * Returns what exceeds the limits in {@code report}.
     *
     * @throws BadInputException if the report lacks the number of carriers, which a limit needs
     */
    List<Finding> violatedBy(PinReport report) {
        List<Finding> violations = new ArrayList<>();
        if (maxShare >= 0) {
            if (report.scheduler().parallelism() == 0 && report.nanos() > 0) {
                throw new BadInputException(
                        "--max-share cannot be checked: the report lacks the number of the"
                                + " scheduler's carriers");
            }
            if (report.lostShare() > maxShare) {
                violations.add(
                        new Finding(
                                shareLimit(),
                                Percentage.of(report.lostShare())
                                        + " of the scheduler's time was lost to held carriers, "
                                        + HumanFormat.duration(report.nanos())
                                        + " by "
                                        + HumanFormat.pins(report.count()),
                                null));
            }
        }
        long waitedNanos = report.carriers().waitedHeldNanos();
        if (maxWaitingNanos >= 0 && waitedNanos > maxWaitingNanos) {
            violations.add(
                    new Finding(
                            waitingLimit(),
                            "virtual threads waited for held carriers for "
                                    + HumanFormat.duration(waitedNanos)
                                    + " in all"
                                    + mostOf(report),
                            null));
        }
        for (Held held : report.sites()) {
            long longest = held.figures().longestNanos();
            if (maxLongestNanos >= 0 && longest > maxLongestNanos) {
                violations.add(
                        new Finding(
                                longestLimit(),
                                "a carrier was held for "
                                        + HumanFormat.duration(longest)
                                        + " at "
                                        + SiteName.withKind(held.site()),
                                held));
            }
            for (String prefix : forbidden) {
                // the JVM makes threads wait wherever they are, so the site is not to blame
                if (held.site().kind() != PinKind.JVM && SiteName.hasPrefix(held.site(), prefix)) {
                    violations.add(
                            new Finding(
                                    noSite(prefix),
                                    HumanFormat.pins(held.figures().count())
                                            + " for "
                                            + HumanFormat.duration(held.figures().nanos())
                                            + " at "
                                            + SiteName.withKind(held.site()),
                                    held));
                }
            }
        }
        return violations;
    }

    /** Returns the site that most of the time was waited for, as a continuation of a sentence. */
    private static String mostOf(PinReport report) {
        return report.sites().stream()
                .filter(site -> site.waitedNanos() > 0)
                .max(Comparator.comparingLong(Held::waitedNanos))
                .map(
                        site ->
                                ", "
                                        + HumanFormat.duration(site.waitedNanos())
                                        + " of it because of "
                                        + SiteName.withKind(site.site()))
                .orElse("");
    }
}
