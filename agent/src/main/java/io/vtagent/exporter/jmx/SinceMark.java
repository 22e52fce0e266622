package io.vtagent.exporter.jmx;

import io.vtagent.exporter.jmx.KeptPins.Kept;
import io.vtagent.json.JsonText;
import io.vtagent.log.PlainText;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinSite;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import java.util.List;

/** The figures since a mark, as JSON. */
final class SinceMark {
    private SinceMark() {}

    /**
     * @param since the report of it
     * @param came the number of single pins that were received since
     */
    static String json(PinReport since, Marks.Mark mark, List<Kept> kept, long came) {
        return JsonText.of(
                json -> {
                    json.field("nanos", since.uptimeNanos());
                    json.object("report", in -> JsonReport.write(in, since, JsonReport.Detail.ALL));
                    json.field("forgotten", Math.max(came - kept.size(), 0));
                    json.objects("pins", kept, each -> pin(json, each, mark.atNanos()));
                });
    }

    private static void pin(JsonText json, Kept kept, long markedAtNanos) {
        EndedPin pin = kept.pin();
        PinSite site = pin.siteKey();
        if (kept.thread() != null) {
            json.field("thread", PlainText.ofName(kept.thread()));
        }
        json.field("threadId", pin.threadId());
        json.field("kind", pin.kind().label());
        json.field("reason", pin.reason().label());
        json.field("compensated", pin.compensated());
        json.field("caller", site.caller());
        json.field("site", site.site());
        json.field("operation", site.operation());
        json.field("heldNanos", pin.nanos());
        json.field("endedNanos", pin.endedAtNanos() - markedAtNanos);
        json.field("sampled", !pin.onItsThread());
    }
}
