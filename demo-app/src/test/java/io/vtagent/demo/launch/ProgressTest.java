package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void aTerminalHasOneLineThatIsRewrittenAndIsEmptyInTheEnd() {
        Progress progress = new Progress(out, true);
        progress.show("one");
        progress.show("two");
        progress.clear();

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo("\r\033[Kone ...\r\033[Ktwo ...\r\033[K");
    }

    @Test
    void anythingElseHasALineEach() {
        Progress progress = new Progress(out, false);
        progress.show("one");
        progress.show("two");
        progress.clear();

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly("one", "two");
    }
}
