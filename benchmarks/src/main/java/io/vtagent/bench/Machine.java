package io.vtagent.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * What the figures hold for. A machine that had other work at the start is given away by its load.
 */
final class Machine {
    private static final Path CPU = Path.of("/proc/cpuinfo");

    private Machine() {}

    static String description() throws IOException {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "%s: %s, %d processors, %s %s; load average at the start %.1f",
                LocalDate.now(ZoneOffset.UTC),
                cpu(system.getArch()),
                system.getAvailableProcessors(),
                system.getName(),
                system.getArch(),
                system.getSystemLoadAverage());
    }

    private static String cpu(String unknown) throws IOException {
        if (!Files.isReadable(CPU)) {
            return unknown;
        }
        return Files.readAllLines(CPU).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(unknown);
    }
}
