package io.vtagent.diagnosis;

import io.vtagent.log.PlainText;

/**
 * The name and id of a virtual or platform thread. The JVM may report only the id of a platform
 * thread.
 *
 * @param label its name, if it is known, and its id
 * @param shortLabel its name or, if that is not known, its id
 */
record ThreadLabel(long id, String label, String shortLabel) {
    static ThreadLabel of(Thread thread) {
        long id = thread.threadId();
        String name = PlainText.ofName(thread.getName());
        return name.isEmpty()
                ? new ThreadLabel(
                        id,
                        "#" + id,
                        (thread.isVirtual() ? "virtual thread #" : "platform thread #") + id)
                : new ThreadLabel(id, "\"" + name + "\" #" + id, name);
    }

    /** Returns the label of a thread of which only the id is known. */
    static ThreadLabel ofThread(long id) {
        return new ThreadLabel(id, "thread #" + id, "thread #" + id);
    }
}
