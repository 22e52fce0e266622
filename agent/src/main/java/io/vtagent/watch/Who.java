package io.vtagent.watch;

import io.vtagent.log.PlainText;
import org.jspecify.annotations.Nullable;

/**
 * A thread: a virtual one, or a platform thread of which the JVM may tell no more than its id.
 *
 * @param label its name, if it is known, and its id
 * @param shortLabel its name or, if that is not known, its id
 */
record Who(long id, String label, String shortLabel) {
    static Who of(Thread thread) {
        return of(thread.threadId(), thread.getName(), thread.isVirtual() ? "virtual thread #" : "platform thread #");
    }

    /** @param name null if it is not known */
    static Who ofPlatformThread(long id, @Nullable String name) {
        return name == null
                ? new Who(id, "platform thread #" + id, "platform thread #" + id)
                : of(id, name, "platform thread #");
    }

    private static Who of(long id, String given, String otherwise) {
        String name = PlainText.ofName(given);
        return name.isEmpty() ? new Who(id, "#" + id, otherwise + id) : new Who(id, "\"" + name + "\" #" + id, name);
    }
}
