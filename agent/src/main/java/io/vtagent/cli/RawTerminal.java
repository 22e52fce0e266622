package io.vtagent.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * The terminal as a full screen. It is restored to its former state in all cases except SIGKILL.
 * JLine's provider that calls {@code stty} is created directly, because the jar has neither the
 * service files for its discovery nor the native code of the other providers.
 */
final class RawTerminal implements AutoCloseable {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[0m\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    private final Terminal terminal;
    private final Attributes attributes;
    private final OutputStream out;
    private final Charset charset;
    private final boolean coloured = System.getenv("NO_COLOR") == null;
    private final AtomicBoolean resized = new AtomicBoolean(true);
    private boolean closed;
    private final Thread atTheEnd = new Thread(this::restore, "vt-agent-terminal");
    private Size size = new Size(USUAL_COLUMNS, USUAL_ROWS);
    private @Nullable String shown;

    private RawTerminal(Terminal terminal, Charset charset) throws IOException {
        this.terminal = terminal;
        this.charset = charset;
        out = terminal.output();
        attributes = terminal.enterRawMode();
        // Ctrl-C arrives as a key: as a signal it would be lost if the JVM was started with SIGINT
        // ignored
        Attributes raw = terminal.getAttributes();
        raw.setLocalFlag(Attributes.LocalFlag.ISIG, false);
        terminal.setAttributes(raw);
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        Object unused = Signals.register("WINCH", () -> resized.set(true));
        write(ENTER);
    }

    /** Returns whether standard input and output are a terminal that has a screen. */
    static boolean isThere() {
        String type = System.getenv("TERM");
        if (type == null || type.isEmpty() || type.equals("dumb")) {
            return false;
        }
        try {
            ExecTerminalProvider provider = new ExecTerminalProvider();
            return provider.isSystemStream(SystemStream.Input)
                    && provider.isSystemStream(SystemStream.Output);
        } catch (RuntimeException | LinkageError otherwise) {
            return false;
        }
    }

    static RawTerminal open() throws IOException {
        Charset charset =
                Charset.forName(
                        System.getProperty("stdout.encoding", StandardCharsets.UTF_8.name()),
                        StandardCharsets.UTF_8);
        // the JVM keeps its signal handlers, so that SIGTERM ends it and runs the hook above
        Terminal terminal =
                new ExecTerminalProvider()
                        .sysTerminal(
                                "vt-agent",
                                System.getenv("TERM"),
                                false,
                                charset,
                                charset,
                                charset,
                                false,
                                Terminal.SignalHandler.SIG_DFL,
                                false,
                                SystemStream.Output);
        return new RawTerminal(terminal, charset);
    }

    Keyboard keyboard() {
        return new Keyboard(terminal.reader()::read);
    }

    /** Returns the current number of columns and rows. */
    Size size() {
        if (resized.getAndSet(false)) {
            Size asked = terminal.getSize();
            size =
                    asked.getColumns() > 0 && asked.getRows() > 0
                            ? asked
                            : new Size(USUAL_COLUMNS, USUAL_ROWS);
            shown = null;
        }
        return size;
    }

    /** Replaces the content of the screen with {@code lines}. */
    void show(List<Line> lines) throws IOException {
        StringBuilder frame = new StringBuilder(HOME);
        for (int i = 0; i < lines.size(); i++) {
            frame.append(i == 0 ? "" : "\r\n");
            Line line = lines.get(i).in(charset, size.getColumns());
            frame.append(
                    coloured || line.style() == Line.Style.SELECTED ? line.styled() : line.text());
            frame.append(CLEAR_LINE);
        }
        String text = frame.append(CLEAR_BELOW).toString();
        if (!text.equals(shown)) {
            write(text);
            shown = text;
        }
    }

    /**
     * Writes nothing once the terminal has been restored, which is possible while the JVM exits.
     */
    private synchronized void write(String text) throws IOException {
        if (!closed) {
            out.write(text.getBytes(charset));
            out.flush();
        }
    }

    private synchronized void restore() {
        if (closed) {
            return;
        }
        try {
            write(LEAVE);
        } catch (IOException gone) {
            // the terminal is gone
        }
        closed = true;
        terminal.setAttributes(attributes);
    }

    @Override
    public void close() {
        restore();
        try {
            terminal.close();
        } catch (IOException gone) {
            // there is nothing left to close
        }
    }
}
