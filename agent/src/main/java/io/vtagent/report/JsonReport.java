package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.json.JsonText;
import io.vtagent.pin.Buckets;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The report as JSON, for programs; {@code docs/report.schema.json} is its schema. Durations are in
 * nanoseconds. New fields may be added at any time. {@link #VERSION} is incremented when a field is
 * removed or changes meaning.
 */
public final class JsonReport {
    static final int VERSION = 2;

    /** The part of the report that is written. */
    public enum Detail {
        /** Everything. */
        ALL,
        /** Everything except the stacks of the sites, which are most of it. */
        NO_STACKS,
        /** Everything except the totals by kind and the sites. */
        NO_SITES
    }

    private JsonReport() {}

    public static String render(PinReport report, Detail detail) {
        return JsonText.of(json -> write(json, report, detail)) + "\n";
    }

    /** Writes the report as fields of the current object. */
    public static void write(JsonText json, PinReport report, Detail detail) {
        json.field("version", VERSION);
        json.field("agent", report.jvm().agent());
        json.field("java", report.jvm().java());
        json.field("carriers", report.jvm().carriers());
        json.field("monitorsPin", report.jvm().monitorsPin());
        json.field("attached", report.jvm().attached());
        json.field("pinningMode", report.jvm().pinningMode());
        Answer answer = report.answer();
        if (answer != null) {
            json.object("answer", in -> answer(in, answer));
        }
        json.field("uptimeNanos", report.uptimeNanos());
        json.field("count", report.count());
        json.field("heldNanos", report.nanos());
        json.field("lostNanos", report.carriers().lostNanos());
        json.field("lostShare", report.lostShare());
        json.object("scheduler", in -> scheduler(in, report.scheduler(), report.carriers()));
        json.object(
                "waiting",
                in -> {
                    in.field("heldNanos", report.carriers().waitedHeldNanos());
                    in.field("busyNanos", report.carriers().waitedBusyNanos());
                });
        json.field("throttledNanos", report.carriers().throttledNanos());
        json.field("pausedNanos", report.carriers().pausedNanos());
        json.object(
                "active",
                in -> {
                    in.field("count", report.inProgress().count());
                    in.field("heldNanos", report.inProgress().nanos());
                    in.field("longestNanos", report.inProgress().longestNanos());
                    in.objects("pins", report.pins(), pin -> pin(in, pin));
                });
        if (report.jvm().monitorsPin()) {
            json.object("withoutMonitorPins", in -> forecast(in, report.forecast()));
        }
        json.object("starved", in -> starved(in, report.starved()));
        if (report.delayed().on()) {
            json.object(
                    "schedulerDelay",
                    in -> {
                        in.field("count", report.delayed().count());
                        in.field("nanos", report.delayed().nanos());
                        in.field("longestNanos", report.delayed().longestNanos());
                        in.field("currentNanos", report.delayed().currentNanos());
                    });
        }
        if (report.relieved().on()) {
            json.object(
                    "relief",
                    in -> {
                        in.field("carriersAdded", report.relieved().carriers());
                        in.field("pins", report.relieved().pins());
                        in.field("heldNanos", report.relieved().nanos());
                    });
        }
        BusyReport.write(json, report.busy(), detail);
        json.object(
                "sensors",
                in ->
                        report.jvm()
                                .sensors()
                                .forEach(
                                        (sensor, failure) ->
                                                in.field(
                                                        sensor,
                                                        failure.isEmpty() ? "up" : failure)));
        if (detail == Detail.NO_SITES) {
            return;
        }
        json.objects(
                "totals",
                report.totals(),
                total -> {
                    json.field("kind", total.key().kind().label());
                    json.field("reason", total.key().reason().label());
                    json.field("compensated", total.key().compensated());
                    figures(json, total.figures());
                });
        json.numbers("durationBoundsNanos", Buckets.coarseBoundsNanos());
        json.objects(
                "sites",
                report.sites(),
                site -> site(json, site, report.jvm().monitorsPin(), detail));
        json.object(
                "rare",
                in -> {
                    in.field("places", report.rare().places());
                    in.field("count", report.rare().count());
                    in.field("heldNanos", report.rare().nanos());
                });
    }

    private static void answer(JsonText json, Answer answer) {
        json.field("kind", answer.kind().label());
        json.field("text", answer.text());
        json.field("line", answer.line());
        json.field("advice", answer.advice());
        json.object("evidence", in -> answer.evidence().forEach(in::field));
    }

    private static void scheduler(
            JsonText json, PinReport.Scheduler scheduler, PinReport.CarrierTime time) {
        json.field("parallelism", scheduler.parallelism());
        json.field("size", scheduler.size());
        json.field("max", scheduler.max());
        json.field("held", scheduler.held());
        json.field("queued", scheduler.queued());
        json.object(
                "time",
                in -> {
                    in.field("heldNanos", time.heldNanos());
                    in.field("runningNanos", time.runningNanos());
                    in.field("runnableNanos", time.runnableNanos());
                    in.field("idleNanos", time.idleNanos());
                });
        if (scheduler.threads() != PinReport.Scheduler.UNKNOWN_THREADS) {
            json.field("threads", scheduler.threads());
        }
    }

    static void pin(JsonText json, PinReport.Pin pin) {
        json.field("thread", pin.thread());
        json.field("carrier", pin.carrier());
        json.field("kind", pin.key().kind().label());
        json.field("reason", pin.key().reason().label());
        json.field("compensated", pin.key().compensated());
        json.field("caller", pin.site().caller());
        json.field("site", pin.site().site());
        json.field("operation", pin.site().operation());
        json.field("ageNanos", pin.ageNanos());
    }

    /** Writes the forecast of the held time where monitors do not pin. */
    private static void forecast(JsonText json, Forecast forecast) {
        json.field("goesNanos", forecast.goesNanos());
        json.field("staysNanos", forecast.staysNanos());
        json.field("unknownNanos", forecast.unknownNanos());
        json.objects(
                "stays",
                forecast.remaining(),
                remaining -> {
                    json.field("site", remaining.site());
                    json.field("kind", remaining.kind());
                    json.field("heldNanos", remaining.nanos());
                    json.field("nativeFrame", remaining.holder());
                });
    }

    private static void starved(JsonText json, PinReport.Starved starved) {
        json.field("periods", starved.periods());
        json.field("nanos", starved.nanos());
        json.field("now", starved.now());
        Diagnosis diagnosis = starved.diagnosis();
        if (diagnosis != null) {
            json.object("diagnosis", in -> diagnosis(in, diagnosis));
        }
        json.objects(
                "past",
                starved.past(),
                past -> {
                    json.field("beganNanos", past.beganNanos());
                    json.field("lastedNanos", past.lastedNanos());
                    json.object("diagnosis", in -> diagnosis(in, past.diagnosis()));
                });
    }

    /** Adds the members of a deadlock; nothing if there is none. */
    static void deadlock(JsonText json, List<Diagnosis.Link> links) {
        if (!links.isEmpty()) {
            json.objects(
                    "deadlock",
                    links,
                    link -> {
                        json.field("thread", link.thread());
                        json.field("has", link.has());
                        json.field("waitsFor", link.waitsFor());
                    });
        }
    }

    private static void diagnosis(JsonText json, Diagnosis diagnosis) {
        json.field("verdict", diagnosis.verdict());
        json.field("overload", diagnosis.overload());
        json.field("remedy", diagnosis.remedy());
        deadlock(json, diagnosis.deadlock());
        json.field("starvedNanos", diagnosis.starvedNanos());
        json.field("carriers", diagnosis.carriers());
        json.field("queued", diagnosis.queued());
        json.strings("queuedThreads", diagnosis.queuedThreads());
        json.objects(
                "locks",
                diagnosis.locks(),
                lock -> {
                    json.field("name", lock.name());
                    json.field("owner", lock.owner());
                    json.strings("queue", lock.queue());
                });
        json.objects(
                "held",
                diagnosis.held(),
                held -> {
                    json.field("carrier", held.carrier());
                    json.field("thread", held.thread());
                    json.field("state", held.state());
                    json.field("waitsFor", held.waitsFor());
                    json.field("owner", held.owner());
                    json.strings("stack", held.stack());
                });
    }

    private static void site(JsonText json, Held held, boolean monitorsPin, Detail detail) {
        json.field("caller", held.site().caller());
        json.field("site", held.site().site());
        json.field("operation", held.site().operation());
        json.field("kind", held.site().kind().label());
        figures(json, held.figures());
        long[] durations = held.figures().durations().toArray();
        if (durations.length > 0) {
            json.numbers("durations", durations);
        }
        json.field("waitingNanos", held.waitedNanos());
        json.field("advice", held.advice());
        if (monitorsPin) {
            json.field("withoutMonitorPins", held.onUpgrade().name().toLowerCase(Locale.ROOT));
        }
        PinnedStack stack = held.stack();
        if (stack != null) {
            json.field("cause", stack.cause().name().toLowerCase(Locale.ROOT));
            json.field("monitor", stack.monitorClass());
            json.field("nativeFrame", stack.nativeFrame());
            if (detail == Detail.ALL) {
                json.field("holderIndex", stack.holderIndex());
                json.strings("stack", stack.frames());
                monitors(json, stack);
            }
        }
    }

    private record Holding(int frame, PinnedStack.Monitors monitors) {}

    /** Writes the frames that hold monitors, by their index in the stack. */
    private static void monitors(JsonText json, PinnedStack stack) {
        List<Holding> all = new ArrayList<>();
        for (int frame = 0; frame < stack.frames().size(); frame++) {
            PinnedStack.Monitors monitors = stack.monitors().get(stack.frames().get(frame));
            if (monitors != null) {
                all.add(new Holding(frame, monitors));
            }
        }
        if (!all.isEmpty()) {
            json.objects(
                    "monitors",
                    all,
                    holding -> {
                        json.field("frame", holding.frame());
                        json.field("classes", holding.monitors().classes());
                        json.field("keptByWait", holding.monitors().keptByWait());
                    });
        }
    }

    private static void figures(JsonText json, Figures figures) {
        json.field("count", figures.count());
        json.field("heldNanos", figures.nanos());
        json.field("longestNanos", figures.longestNanos());
        if (figures.isEstimated()) {
            json.field("estimated", true);
            json.field("samples", figures.samples().count());
        }
        if (figures.inProgress().count() > 0) {
            json.object(
                    "inProgress",
                    in -> {
                        in.field("count", figures.inProgress().count());
                        in.field("heldNanos", figures.inProgress().nanos());
                    });
        }
    }
}
