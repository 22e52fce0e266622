package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.json.BadJsonException;
import io.vtagent.json.JsonFields;
import java.util.List;

/** Reads a diagnosis that {@link JsonReport} has written. */
final class DiagnosisReader {
    private DiagnosisReader() {}

    static Diagnosis read(JsonFields diagnosis) throws BadJsonException {
        return new Diagnosis(
                diagnosis.text("verdict"),
                diagnosis.flag("overload"),
                diagnosis.textIfAny("remedy"),
                diagnosis.has("deadlock")
                        ? diagnosis.objects("deadlock", DiagnosisReader::link)
                        : List.of(),
                diagnosis.number("starvedNanos"),
                diagnosis.integer("carriers"),
                diagnosis.number("queued"),
                diagnosis.strings("queuedThreads"),
                diagnosis.objects("held", DiagnosisReader::held),
                diagnosis.objects("locks", DiagnosisReader::lock));
    }

    private static Diagnosis.Link link(JsonFields link) throws BadJsonException {
        return new Diagnosis.Link(link.text("thread"), link.text("has"), link.text("waitsFor"));
    }

    private static Diagnosis.CarrierState held(JsonFields held) throws BadJsonException {
        return new Diagnosis.CarrierState(
                held.text("carrier"),
                held.text("thread"),
                held.text("state"),
                held.textIfAny("waitsFor"),
                held.textIfAny("owner"),
                held.strings("stack"));
    }

    private static Diagnosis.Lock lock(JsonFields lock) throws BadJsonException {
        return new Diagnosis.Lock(
                lock.text("name"), lock.textIfAny("owner"), lock.strings("queue"));
    }
}
