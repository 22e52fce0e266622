package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.io.IOException;
import java.time.Duration;
import org.jline.terminal.Size;

/**
 * The {@code top} command on a terminal. Reports are fetched on a separate thread, so that keys
 * work while an endpoint is slow.
 */
final class TerminalTop {
    private static final long KEY_MILLIS = 100;

    private final ReportSource source;
    private final Duration every;
    private final RawTerminal terminal;
    private volatile boolean withStacks;
    private volatile Sample sample;

    /**
     * The latest measurements.
     *
     * @param trouble why {@code interval} is out of date; empty if it is current
     */
    private record Sample(Interval interval, String trouble) {}

    TerminalTop(ReportSource source, Duration every, RawTerminal terminal) {
        this.source = source;
        this.every = every;
        this.terminal = terminal;
        // a failure of the first report ends the command
        sample = new Sample(Interval.of(source.report(true)), "");
    }

    /**
     * Shows the screen until the user leaves it.
     *
     * @return whether the user left by Ctrl-C
     */
    boolean run() throws IOException {
        if (source.isLive()) {
            Thread.ofPlatform().daemon().name("vt-agent-top").start(this::refresh);
        }
        Keyboard keyboard = terminal.keyboard();
        TopView view = TopView.FIRST;
        Sample seen = sample;
        while (!view.left()) {
            seen = view.paused() ? seen : sample;
            TopScreen screen = new TopScreen(source.name(), seen.interval(), view, seen.trouble());
            Size size = terminal.size();
            terminal.show(screen.lines(size.getColumns(), size.getRows()));
            Key key = keyboard.next(KEY_MILLIS);
            if (key != null && key.kind() == Key.Kind.INTERRUPT) {
                return true;
            }
            if (key != null) {
                view =
                        view.on(key, seen.interval())
                                .scrolledAtMost(
                                        screen.mostScroll(size.getColumns(), size.getRows()));
                withStacks = view.opened() != null;
            }
        }
        return false;
    }

    private void refresh() {
        while (true) {
            try {
                Thread.sleep(every);
            } catch (InterruptedException nobodyDoes) {
                return;
            }
            PinReport before = sample.interval().now();
            try {
                sample = new Sample(Interval.between(before, source.report(withStacks)), "");
            } catch (RuntimeException lost) {
                sample = new Sample(sample.interval(), String.valueOf(lost.getMessage()));
            }
        }
    }
}
