package io.vtagent.it.workload;

import java.util.List;

/**
 * Virtual threads whose names would be markup, commands of a terminal, or other lines, hold their
 * carriers until stdin ends. It prints {@code done}.
 */
public final class OddNames {
    private static final List<String> NAMES =
            List.of(
                    "</script><img src=x onerror=document.title=1>",
                    "<!--<script>",
                    "task\n[vt-agent] forged\r",
                    "\u001b[2J\u001b]0;title\u0007",
                    "\u202ereversed \u2028",
                    "half \ud800 of a pair",
                    "\"quoted' `name`;x");

    private OddNames() {}

    public static void main(String[] arguments) {
        for (String name : NAMES) {
            Thread.ofVirtual().name(name).start(() -> hold(new Object()));
        }
        Thread.ofVirtual().name("[vt-agent] forged\n[vt-agent] forged").start(() -> {});
        WorkloadConsole.done();
    }

    private static void hold(Object monitor) {
        synchronized (monitor) {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }
    }

    /** Returns how many hold a carrier. */
    public static int count() {
        return NAMES.size();
    }
}
