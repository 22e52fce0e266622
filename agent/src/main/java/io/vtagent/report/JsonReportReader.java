package io.vtagent.report;

import io.vtagent.json.BadJsonException;
import io.vtagent.json.JsonFields;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.site.PinnedStack;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link JsonReport} has written, with or without stacks, into the same records. A
 * report does not contain the caller of a stack apart from that of its site, nor the age of a
 * site's oldest pin in progress, nor how many pins were sampled: one stands for all. Durations that
 * were counted between other bounds are omitted.
 */
public final class JsonReportReader {
    private JsonReportReader() {}

    /**
     * @throws BadJsonException if {@code json} is not a report, or has a newer version; the message
     *     completes a sentence
     */
    public static PinReport read(String json) throws BadJsonException {
        JsonFields report = JsonFields.parse(json);
        if (!report.has("version") || !report.has("uptimeNanos") || !report.has("sensors")) {
            throw new BadJsonException("it is not a report of vt-agent");
        }
        long version = report.number("version");
        if (version > JsonReport.VERSION) {
            throw new BadJsonException(
                    "it is a report of version "
                            + version
                            + ", of a newer vt-agent than this one, which"
                            + " reads version "
                            + JsonReport.VERSION);
        }
        return read(report);
    }

    private static PinReport read(JsonFields report) throws BadJsonException {
        JsonFields active = report.object("active");
        boolean sameBounds =
                report.has("durationBoundsNanos")
                        && Arrays.equals(
                                report.numbers("durationBoundsNanos"), Buckets.coarseBoundsNanos());
        return new PinReport(
                jvm(report),
                report.number("uptimeNanos"),
                report.objects("totals", JsonReportReader::total),
                report.objects("sites", site -> site(site, sameBounds)),
                rare(report),
                new ActivePinTotals(
                        active.number("count"),
                        active.number("heldNanos"),
                        active.number("longestNanos")),
                carriers(report),
                forecast(report),
                starved(report.object("starved")),
                delayed(report),
                relieved(report),
                scheduler(report.object("scheduler")),
                active.objects("pins", JsonReportReader::pin),
                BusyReport.read(report),
                answer(report));
    }

    private static @Nullable Answer answer(JsonFields report) throws BadJsonException {
        if (!report.has("answer")) {
            return null;
        }
        JsonFields answer = report.object("answer");
        JsonFields figures = answer.object("evidence");
        Map<String, Double> evidence = new LinkedHashMap<>();
        for (String name : figures.names()) {
            evidence.put(name, figures.decimal(name));
        }
        return new Answer(
                constant(Answer.Kind.values(), Answer.Kind::label, answer.text("kind")),
                answer.text("text"),
                evidence,
                answer.textIfAny("line"),
                answer.textIfAny("advice"));
    }

    private static PinReport.Jvm jvm(JsonFields report) throws BadJsonException {
        JsonFields states = report.object("sensors");
        Map<String, String> sensors = new LinkedHashMap<>();
        for (String sensor : states.names()) {
            String state = states.text(sensor);
            sensors.put(sensor, "up".equals(state) ? "" : state);
        }
        return new PinReport.Jvm(
                report.text("agent"),
                report.text("java"),
                report.flag("carriers"),
                report.flag("monitorsPin"),
                report.has("attached") && report.flag("attached"),
                sensors);
    }

    private static Forecast forecast(JsonFields report) throws BadJsonException {
        if (!report.has("withoutMonitorPins")) {
            return new Forecast(0, 0, 0, List.of());
        }
        JsonFields forecast = report.object("withoutMonitorPins");
        return new Forecast(
                forecast.number("goesNanos"),
                forecast.number("staysNanos"),
                forecast.number("unknownNanos"),
                forecast.objects(
                        "stays",
                        stays ->
                                new Forecast.Remaining(
                                        stays.text("site"),
                                        stays.text("kind"),
                                        stays.number("heldNanos"),
                                        stays.textIfAny("nativeFrame"))));
    }

    private static PinReport.Starved starved(JsonFields starved) throws BadJsonException {
        return new PinReport.Starved(
                starved.number("periods"),
                starved.number("nanos"),
                starved.has("diagnosis") ? DiagnosisReader.read(starved.object("diagnosis")) : null,
                starved.flag("now"),
                starved.objects(
                        "past",
                        past ->
                                new PinReport.Past(
                                        past.number("beganNanos"),
                                        past.number("lastedNanos"),
                                        DiagnosisReader.read(past.object("diagnosis")))));
    }

    private static PinReport.CarrierTime carriers(JsonFields report) throws BadJsonException {
        JsonFields scheduler = report.object("scheduler");
        if (!scheduler.has("time")) {
            return carriersOfVersion1(report);
        }
        JsonFields time = scheduler.object("time");
        JsonFields waiting = report.object("waiting");
        return new PinReport.CarrierTime(
                time.number("heldNanos"),
                time.number("runningNanos"),
                time.number("runnableNanos"),
                time.number("idleNanos"),
                report.number("lostNanos"),
                waiting.number("heldNanos"),
                waiting.number("busyNanos"),
                report.number("throttledNanos"),
                report.has("pausedNanos") ? report.number("pausedNanos") : 0);
    }

    /**
     * Estimates the lost time, which version 1 lacks, from the pins that were not compensated for.
     */
    private static PinReport.CarrierTime carriersOfVersion1(JsonFields report)
            throws BadJsonException {
        long lostNanos = 0;
        for (PinReport.Total total : report.objects("totals", JsonReportReader::total)) {
            lostNanos += total.key().compensated() ? 0 : total.figures().nanos();
        }
        long allNanos =
                report.object("scheduler").number("parallelism") * report.number("uptimeNanos");
        return new PinReport.CarrierTime(0, 0, 0, 0, Math.min(lostNanos, allNanos), 0, 0, 0, 0);
    }

    private static PinReport.Rare rare(JsonFields report) throws BadJsonException {
        if (!report.has("rare")) {
            return PinReport.Rare.NONE;
        }
        JsonFields rare = report.object("rare");
        return new PinReport.Rare(
                (int) rare.number("places"), rare.number("count"), rare.number("heldNanos"));
    }

    private static PinReport.Delayed delayed(JsonFields report) throws BadJsonException {
        if (!report.has("schedulerDelay")) {
            return PinReport.Delayed.OFF;
        }
        JsonFields delay = report.object("schedulerDelay");
        return new PinReport.Delayed(
                true,
                delay.number("count"),
                delay.number("nanos"),
                delay.number("longestNanos"),
                delay.number("currentNanos"));
    }

    private static PinReport.Relieved relieved(JsonFields report) throws BadJsonException {
        if (!report.has("relief")) {
            return PinReport.Relieved.OFF;
        }
        JsonFields relief = report.object("relief");
        return new PinReport.Relieved(
                true,
                relief.number("carriersAdded"),
                relief.number("pins"),
                relief.number("heldNanos"));
    }

    private static PinReport.Scheduler scheduler(JsonFields scheduler) throws BadJsonException {
        return new PinReport.Scheduler(
                scheduler.number("parallelism"),
                scheduler.number("size"),
                scheduler.number("max"),
                scheduler.number("held"),
                scheduler.number("queued"),
                scheduler.has("threads")
                        ? scheduler.number("threads")
                        : PinReport.Scheduler.UNKNOWN_THREADS);
    }

    private static PinReport.Pin pin(JsonFields pin) throws BadJsonException {
        return new PinReport.Pin(
                pin.text("thread"),
                pin.text("carrier"),
                key(pin),
                siteKey(pin),
                pin.number("ageNanos"));
    }

    private static PinReport.Total total(JsonFields total) throws BadJsonException {
        return new PinReport.Total(key(total), figures(total, DurationCounts.NONE));
    }

    private static PinReport.Held site(JsonFields site, boolean sameBounds)
            throws BadJsonException {
        String upgrade = site.textIfAny("withoutMonitorPins");
        return new PinReport.Held(
                siteKey(site),
                figures(
                        site,
                        sameBounds && site.has("durations")
                                ? durations(site)
                                : DurationCounts.NONE),
                site.has("waitingNanos") ? site.number("waitingNanos") : 0,
                site.has("cause") ? stack(site) : null,
                site.text("advice"),
                upgrade == null
                        ? Forecast.OfSite.UNKNOWN
                        : constant(Forecast.OfSite.values(), JsonReportReader::lowerCase, upgrade));
    }

    private static PinnedStack stack(JsonFields site) throws BadJsonException {
        List<String> frames = site.has("stack") ? site.strings("stack") : List.of();
        return new PinnedStack(
                frames,
                site.has("holderIndex") ? site.integer("holderIndex") : -1,
                site.text("site"),
                constant(
                        PinnedStack.Cause.values(),
                        JsonReportReader::lowerCase,
                        site.text("cause")),
                site.textIfAny("monitor"),
                site.text("operation"),
                null,
                site.textIfAny("nativeFrame"),
                monitors(site, frames));
    }

    private static Map<String, PinnedStack.Monitors> monitors(JsonFields site, List<String> frames)
            throws BadJsonException {
        Map<String, PinnedStack.Monitors> monitors = new HashMap<>();
        if (!site.has("monitors")) {
            return monitors;
        }
        for (JsonFields held : site.objects("monitors", fields -> fields)) {
            long frame = held.number("frame");
            if (frame < 0 || frame >= frames.size()) {
                throw new BadJsonException("\"frame\" is not one of the stack's");
            }
            monitors.put(
                    frames.get((int) frame),
                    new PinnedStack.Monitors(held.text("classes"), held.textIfAny("keptByWait")));
        }
        return monitors;
    }

    private static DurationCounts durations(JsonFields site) throws BadJsonException {
        try {
            return DurationCounts.of(site.numbers("durations"));
        } catch (IllegalArgumentException tooMany) {
            throw new BadJsonException("\"durations\" has more elements than there are buckets");
        }
    }

    private static PinReport.Figures figures(JsonFields fields, DurationCounts durations)
            throws BadJsonException {
        ActivePinTotals inProgress = ActivePinTotals.NONE;
        if (fields.has("inProgress")) {
            JsonFields pins = fields.object("inProgress");
            // the report does not contain the age of a site's oldest pin
            inProgress = new ActivePinTotals(pins.number("count"), pins.number("heldNanos"), 0);
        }
        boolean estimated = fields.has("estimated") && fields.flag("estimated");
        return new PinReport.Figures(
                fields.number("count"),
                fields.number("heldNanos"),
                fields.number("longestNanos"),
                inProgress,
                estimated ? new Samples(1, fields.number("samples"), 0) : Samples.NONE,
                durations);
    }

    private static PinKey key(JsonFields fields) throws BadJsonException {
        return new PinKey(
                kind(fields),
                constant(PinReason.values(), PinReason::label, fields.text("reason")),
                fields.flag("compensated"));
    }

    private static PinSite siteKey(JsonFields fields) throws BadJsonException {
        return new PinSite(
                fields.text("site"), fields.text("caller"), fields.text("operation"), kind(fields));
    }

    private static PinKind kind(JsonFields fields) throws BadJsonException {
        return constant(PinKind.values(), PinKind::label, fields.text("kind"));
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static <E> E constant(
            E[] constants, Function<? super E, String> label, @Nullable String wanted)
            throws BadJsonException {
        for (E constant : constants) {
            if (label.apply(constant).equals(wanted)) {
                return constant;
            }
        }
        throw new BadJsonException("\"" + wanted + "\" is nothing that this vt-agent knows");
    }
}
