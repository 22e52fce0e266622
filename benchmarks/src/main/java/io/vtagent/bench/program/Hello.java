package io.vtagent.bench.program;

/** The smallest application. */
public final class Hello {
    private Hello() {}

    public static void main(String[] arguments) {
        System.out.println("hello world");
    }
}
