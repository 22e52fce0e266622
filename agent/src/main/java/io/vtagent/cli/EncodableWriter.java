package io.vtagent.cli;

import io.vtagent.log.PlainText;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.Charset;

/** A writer to a stream. It escapes the characters that the stream's charset does not have. */
final class EncodableWriter extends Writer {
    private final Charset charset;
    private final Writer out;

    EncodableWriter(PrintStream to) {
        charset = to.charset();
        out = new OutputStreamWriter(to, charset);
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        out.write(PlainText.in(charset, new String(text, from, length)));
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
