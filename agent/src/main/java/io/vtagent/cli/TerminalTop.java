package io.vtagent.cli;

import io.vtagent.report.PinReport;
import java.io.IOException;
import java.time.Duration;
import org.jline.terminal.Size;

/** {@code top} on a terminal: reports come on a thread of their own, so that keys work while an endpoint is slow. */
final class TerminalTop {
    private static final long KEY_MILLIS = 100;

    private final ReportSource source;
    private final Duration every;
    private final RawTerminal terminal;
    private volatile boolean withStacks;
    private volatile Sample sample;

    /** @param trouble why {@code interval} is not newer, empty if it is */
    private record Sample(Interval interval, String trouble) {}

    TerminalTop(ReportSource source, Duration every, RawTerminal terminal) {
        this.source = source;
        this.every = every;
        this.terminal = terminal;
        // what is wrong with it from the start ends it
        sample = new Sample(Interval.of(source.report(true)), "");
    }

    /** @return whether it was left by Ctrl-C */
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
                view = view.on(key, seen.interval())
                        .scrolledAtMost(screen.mostScroll(size.getColumns(), size.getRows()));
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
