package io.vtagent.it.workload;

/**
 * Virtual threads whose names are not ASCII: one holds the only carrier until stdin ends, after
 * many short pins. It prints {@code done}.
 */
public final class ForeignNames {
    private static final int SHORT_PINS = 20;
    private static final String NAME = "gr\u00f6\u00dfe";

    private ForeignNames() {}

    public static void main(String[] arguments) throws InterruptedException {
        Object monitor = new Object();
        Tasks.run(
                1,
                number -> {
                    for (int i = 0; i < SHORT_PINS; i++) {
                        synchronized (monitor) {
                            Thread.sleep(0, 50_000);
                        }
                    }
                });
        Thread.ofVirtual().name(NAME).start(Holder::hold);
        Thread.ofVirtual().name(NAME).start(() -> {});
        WorkloadConsole.done();
        System.exit(0);
    }

    /** Holds a carrier on every JDK. */
    private static final class Holder {
        static {
            sleep();
        }

        private static void sleep() {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void hold() {}
    }
}
