package shop;

import java.lang.reflect.Method;

/** Compiled for Java 17, so that the Maven that compiles it can be any: a virtual thread that sleeps, on a JVM that has them. */
public final class Shop {
    private Shop() {}

    public static void main(String[] arguments) throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Thread thread = (Thread) start.invoke(null, (Runnable) Shop::work);
        thread.join();
    }

    private static void work() {
        synchronized (Shop.class) {
            try {
                Thread.sleep(500);
            } catch (InterruptedException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
