package io.vtagent.report;

import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.json.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The groups of waiting virtual threads, as JSON. */
public final class ThreadsJson {
    private ThreadsJson() {}

    /**
     * @param top the maximum number of groups
     */
    public static String render(PacedThreadGroups.Reading answer, int top) {
        return JsonText.of(json -> write(json, answer, top));
    }

    /** Returns the object of a JVM whose threads are not known for the reason {@code why}. */
    public static String ofUnknown(String why) {
        return JsonText.of(json -> json.field("unknown", why));
    }

    private static void write(JsonText json, PacedThreadGroups.Reading answer, int top) {
        ThreadGroups threads = answer.groups();
        json.field("total", threads.total());
        json.field("mounted", threads.mounted());
        json.field("queued", threads.queued());
        json.field("waiting", threads.waiting());
        json.field("sampled", threads.sampled());
        json.field("moved", threads.moved());
        json.field("complete", threads.isComplete());
        json.field("allKnown", threads.areAllKnown());
        json.field("tookNanos", threads.tookNanos());
        json.field("ageNanos", answer.ageNanos());
        json.field("nextNanos", answer.nextNanos());
        ThreadGroups.Deadlock deadlock = threads.deadlock();
        if (deadlock != null) {
            JsonReport.deadlock(json, deadlock.links());
        }
        List<Group> groups = threads.groups();
        json.objects(
                "groups",
                groups.subList(0, Math.min(top, groups.size())),
                group -> write(json, group, threads.total()));
        List<Group> others = groups.subList(Math.min(top, groups.size()), groups.size());
        json.object(
                "others",
                in -> {
                    in.field("groups", others.size());
                    in.field("count", others.stream().mapToLong(Group::count).sum());
                });
    }

    private static void write(JsonText json, Group group, long total) {
        json.field("state", group.state().label());
        json.field("count", group.count());
        json.field("share", group.shareOf(total));
        json.field("sampled", group.sampled());
        json.field("waitsFor", nonEmpty(group.waitsFor()));
        json.field("at", nonEmpty(group.place()));
        json.field("operation", nonEmpty(group.operation()));
        json.field("longestNanos", group.longestNanos());
        json.field("container", nonEmpty(group.container()));
        json.field("containers", group.containers());
        if (group.exampleId() > 0) {
            json.object(
                    "example",
                    in -> {
                        in.field("name", group.example());
                        in.field("id", group.exampleId());
                    });
        }
        if (group.lock() != null) {
            json.object(
                    "lock",
                    in -> {
                        in.field("name", group.lock());
                        in.field("owner", group.owner());
                        in.field("locks", group.locks());
                    });
        }
        json.strings("stack", group.frames());
    }

    private static @Nullable String nonEmpty(String text) {
        return text.isEmpty() ? null : text;
    }
}
