package io.vtagent.bench.program;

/** {@code [virtual]}: the smallest application, without or with a virtual thread. */
public final class Hello {
    private Hello() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length > 0) {
            Thread.startVirtualThread(Hello::greet).join();
        } else {
            greet();
        }
    }

    private static void greet() {
        System.out.println("hello world");
    }
}
