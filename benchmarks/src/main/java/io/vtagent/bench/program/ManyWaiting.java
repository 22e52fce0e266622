package io.vtagent.bench.program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CountDownLatch;

/**
 * {@code THREADS PORT}: that many virtual threads wait, and a client asks the agent at that port
 * where they do. It prints how long the answer takes, and how much the heap has grown by it.
 */
public final class ManyWaiting {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private ManyWaiting() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        CountDownLatch waiting = new CountDownLatch(threads);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(
                    () -> {
                        waiting.countDown();
                        await(end);
                    });
        }
        waiting.await();
        URI uri = URI.create("http://127.0.0.1:" + arguments[1] + "/api/threads");
        HttpClient client = HttpClient.newHttpClient();
        System.gc();
        long usedBytes = usedBytes();
        long beganNanos = System.nanoTime();
        int status =
                client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .statusCode();
        double seconds = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
        double grown = usedBytes() - usedBytes;
        if (status != 200) {
            throw new IOException(uri + " answered " + status);
        }
        System.out.println("seconds=" + seconds);
        System.out.println("mebibytes=" + Math.max(grown, 0) / MEBIBYTE);
        System.exit(0);
    }

    private static long usedBytes() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
