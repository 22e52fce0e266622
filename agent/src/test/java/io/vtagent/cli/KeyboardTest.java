package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.cli.Key.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeyboardTest {
    private static final int NONE_IN_TIME = -2;
    private static final int END = -1;

    private final Deque<Integer> sent = new ArrayDeque<>();

    private List<Key> keys() throws IOException {
        Keyboard keyboard = new Keyboard(millis -> sent.isEmpty() ? NONE_IN_TIME : sent.remove());
        List<Key> keys = new ArrayList<>();
        for (Key key = keyboard.next(1); key != null; key = keyboard.next(1)) {
            keys.add(key);
        }
        return keys;
    }

    private void send(String text) {
        text.chars().forEach(sent::add);
    }

    @Test
    void ctrlCIsAKey() throws IOException {
        send("\u0003");

        assertThat(keys()).containsExactly(Key.of(Kind.INTERRUPT));
    }

    @Test
    void whatIsTypedComesAsItIs() throws IOException {
        send("s/é");
        assertThat(keys()).containsExactly(Key.of('s'), Key.of('/'), Key.of('é'));
    }

    @Test
    void keysThatSendSeveralCharactersAreOne() throws IOException {
        send("\u001b[A\u001bOB\u001b[5~\u001b[6~\u001b[1;5C\u001b[Zq");
        assertThat(keys())
                .extracting(Key::kind)
                .containsExactly(
                        Kind.UP,
                        Kind.DOWN,
                        Kind.PAGE_UP,
                        Kind.PAGE_DOWN,
                        Kind.OTHER,
                        Kind.OTHER,
                        Kind.CHARACTER);
    }

    @Test
    void anEscapeAfterWhichNothingComesIsOne() throws IOException {
        send("\u001b");
        assertThat(keys()).containsExactly(Key.of(Kind.ESCAPE));
    }

    @Test
    void aSequenceThatBreaksOffEnds() throws IOException {
        send("\u001b[1");
        assertThat(keys()).containsExactly(Key.of(Kind.OTHER));
    }

    @Test
    void returnAndDeleteAreKeysToo() throws IOException {
        send("\r\n\u007f\b\u0001");
        assertThat(keys())
                .extracting(Key::kind)
                .containsExactly(
                        Kind.ENTER, Kind.ENTER, Kind.BACKSPACE, Kind.BACKSPACE, Kind.OTHER);
    }

    @Test
    void whenTheTerminalIsGoneItIsTimeToLeave() throws IOException {
        sent.add(END);
        assertThat(keys()).containsExactly(Key.of('q'));
    }
}
