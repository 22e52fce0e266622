package io.vtagent.compatibility.pins;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * {@code TIMES}: some pins without a server, for class loaders that have none. It prints {@code
 * warm} and {@code done}, waits for a line after each, and ends with 7.
 */
public final class Main implements Runnable {
    /** The exit code, which nothing else uses. */
    private static final int EXIT = 7;

    private final int times;

    /** Pins 40 times; for callers that load this class by its name. */
    public Main() {
        this(40);
    }

    private Main(int times) {
        this.times = times;
    }

    public static void main(String[] arguments) {
        new Main(Integer.parseInt(arguments[0])).run();
    }

    @Override
    public void run() {
        try {
            System.out.println("wrapped=" + wrapped());
            System.out.println("opened=" + opened());
            all("/park", times);
            all("/wait", 1);
            printAndWait("warm");
            all("/park", times);
            all("/wait", times);
            for (int i = 0; i < 4; i++) {
                all("/init" + i, 1);
            }
            printAndWait("done");
            System.exit(EXIT);
        } catch (InterruptedException
                | ExecutionException
                | IOException
                | ClassNotFoundException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** A synchronized method that has been wrapped is none any more. */
    private static boolean wrapped() throws ClassNotFoundException {
        for (var method : Class.forName(Pins.class.getName() + "$Monitor").getDeclaredMethods()) {
            if (Modifier.isSynchronized(method.getModifiers())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether what an agent opens for itself is open to the application. */
    private static boolean opened() {
        Module base = Object.class.getModule();
        return base.isOpen("java.lang", Main.class.getModule())
                || base.isOpen("java.lang", ClassLoader.getSystemClassLoader().getUnnamedModule());
    }

    private static void all(String path, int times)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Answer.executor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                answers.add(threads.submit(() -> Answer.to(path)));
            }
            for (Future<String> answer : answers) {
                answer.get();
            }
        }
    }

    private static void printAndWait(String line) throws IOException {
        System.out.println(line);
        int character = System.in.read();
        while (character >= 0 && character != '\n') {
            character = System.in.read();
        }
    }
}
