package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.AgentClassLoader;
import io.vtagent.hook.Hooks;
import io.vtagent.pin.Buckets;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.site.FramesOfInterest;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * While the agent loads a class on a thread of the application, a hook may report a pin. It is not
 * the application's.
 */
class PinsInAgentsWorkTest {
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);

    @TempDir Path folder = Path.of("");

    /** A pin that a hook reports. */
    enum Pin {
        PARK_IN_NATIVE_CODE,
        PARK_IN_MONITOR,
        PARK_IN_CRITICAL_SECTION,
        WAIT,
        ENTER,
        IO;

        /** Calls the hooks of one pin, from its beginning to its end. */
        void report(VtAgentProbe hooks) {
            switch (this) {
                case PARK_IN_NATIVE_CODE -> park("NATIVE", hooks);
                case PARK_IN_MONITOR -> park("MONITOR", hooks);
                case PARK_IN_CRITICAL_SECTION -> park("CRITICAL_SECTION", hooks);
                case WAIT -> hooks.onWaitEnded(hooks.onWaitBegan(), null);
                case ENTER -> enter(hooks);
                case IO -> {
                    hooks.onIoBegan();
                    hooks.onIoEnded();
                }
            }
        }

        private static void park(String reason, VtAgentProbe hooks) {
            hooks.onYieldFailed(reason);
            hooks.onParkEnded(hooks.onParkBegan());
        }

        private static void enter(VtAgentProbe hooks) {
            Object begun = hooks.onEnterBegan(hooks);
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < Hooks.MIN_ENTRY_NANOS) {
                Thread.onSpinWait();
            }
            if (begun != null) {
                hooks.onEnterEnded(begun);
            }
        }
    }

    /** The agent's jar, for whose address the class loader asks when it looks for a resource. */
    private static final class Jar extends File {
        private static final long serialVersionUID = 1;

        private transient @Nullable Runnable whenAsked;

        Jar(Path file) {
            super(file.toString());
        }

        @Override
        public URI toURI() {
            if (whenAsked != null) {
                whenAsked.run();
            }
            return super.toURI();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPinWhileTheAgentLoadsAClassIsNotCounted(Pin pin) throws IOException {
        LedgerWarmUp.warmUp(ledger);
        Jar jar = jar();
        AgentClassLoader loader = new AgentClassLoader(jar);
        jar.whenAsked = () -> pin.report(ledger.hooks());

        OnVirtualThread.run(() -> Objects.requireNonNull(loader.getResource("text")));

        assertThat(ledger.sites()).isEmpty();
        assertThat(ledger.totals().count()).isZero();
        assertThat(ledger.active()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theSamePinOfTheApplicationIsCounted(Pin pin) {
        LedgerWarmUp.warmUp(ledger);

        OnVirtualThread.run(() -> pin.report(ledger.hooks()));

        assertThat(ledger.sites()).hasSize(1);
        assertThat(ledger.totals().count()).isOne();
    }

    private Jar jar() throws IOException {
        Path jar = folder.resolve("agent.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("text"));
            out.closeEntry();
        }
        return new Jar(jar);
    }
}
