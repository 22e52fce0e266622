package io.vtagent.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts the service of {@code benchmarks/service}. */
final class Services {
    private static final String LISTENING = "listening=";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double KIBIBYTES_PER_MEBIBYTE = 1 << 10;
    private static final long SETTLED_MILLIS = 1_000;

    /** So that the service can pin on every JDK. */
    private static final List<String> ARGUMENTS =
            List.of("-Djdk.reflect.useNativeAccessorOnly=true");

    private final Path jar;

    Services(Path jar) {
        this.jar = jar;
    }

    /**
     * The cost of a start, until the service listened.
     *
     * @param residentMebibytes a second later
     */
    record Begun(double wallSeconds, double processorSeconds, double residentMebibytes) {}

    /**
     * By turns; the figures of each arm, round by round. The first start of each is for the
     * machine's caches.
     */
    List<List<Begun>> starts(Jvm jvm, List<Arm> arms, int rounds) {
        List<List<Begun>> all = new ArrayList<>();
        for (Arm arm : arms) {
            all.add(new ArrayList<>());
            start(jvm, arm).close();
        }
        for (int round = 0; round < rounds; round++) {
            for (int arm = 0; arm < arms.size(); arm++) {
                try (Running service = start(jvm, arms.get(arm))) {
                    Thread.sleep(SETTLED_MILLIS);
                    all.get(arm)
                            .add(
                                    new Begun(
                                            service.wallSeconds,
                                            service.startProcessorSeconds,
                                            service.residentMebibytes()));
                } catch (InterruptedException failure) {
                    throw new IllegalStateException(failure);
                }
            }
        }
        return all;
    }

    Running start(Jvm jvm, Arm arm) {
        List<String> command = new ArrayList<>(jvm.command(arm.with(ARGUMENTS)));
        command.addAll(List.of("-jar", jar.toString()));
        StringBuilder output = new StringBuilder();
        try {
            long beganNanos = System.nanoTime();
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            BufferedReader lines = process.inputReader();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.startsWith(LISTENING)) {
                    double wallSeconds = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
                    Thread.ofPlatform().daemon().start(() -> readOn(lines));
                    return new Running(
                            process,
                            Integer.parseInt(line.substring(LISTENING.length())),
                            wallSeconds);
                }
            }
        } catch (IOException failure) {
            throw new IllegalStateException("cannot run " + command, failure);
        }
        throw new IllegalStateException(command + " does not listen:\n" + output);
    }

    /** So that it can print more, until it ends. */
    private static void readOn(BufferedReader lines) {
        try (lines) {
            lines.lines().forEach(more -> {});
        } catch (IOException | UncheckedIOException ended) {
            // by close()
        }
    }

    /** A service that listens. */
    static final class Running implements AutoCloseable {
        private final Process process;
        private final int port;
        private final double wallSeconds;
        private final double startProcessorSeconds;

        Running(Process process, int port, double wallSeconds) {
            this.process = process;
            this.port = port;
            this.wallSeconds = wallSeconds;
            startProcessorSeconds = processorSeconds();
        }

        int port() {
            return port;
        }

        double processorSeconds() {
            return process.info()
                            .totalCpuDuration()
                            .orElseThrow(() -> new IllegalStateException("the service has ended"))
                            .toNanos()
                    / NANOS_PER_SECOND;
        }

        private double residentMebibytes() {
            Path status = Path.of("/proc/" + process.pid() + "/status");
            try {
                return Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToDouble(
                                line ->
                                        Double.parseDouble(line.replaceAll("[^0-9]", ""))
                                                / KIBIBYTES_PER_MEBIBYTE)
                        .findFirst()
                        .orElse(Double.NaN);
            } catch (IOException notLinux) {
                return Double.NaN;
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
            try {
                process.waitFor();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
