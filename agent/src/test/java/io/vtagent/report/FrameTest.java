package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FrameTest {

    @Test
    void aFrameIsTakenApartWhereverItComesFrom() {
        assertThat(Frame.of("java.base/java.lang.Thread.sleep(Thread.java:509)"))
                .isEqualTo(new Frame("java.base", "java.lang.Thread", "sleep", ":509"));
        assertThat(Frame.of("java.base@21.0.8/sun.nio.ch.Net.poll(Native Method)"))
                .isEqualTo(new Frame("java.base", "sun.nio.ch.Net", "poll", ""));
        assertThat(Frame.of("shop.Cache.<init>(Cache.java:28)"))
                .isEqualTo(new Frame("", "shop.Cache", "<init>", ":28"));
        assertThat(Frame.of("custom//shop.Main.main(Main.java:3)"))
                .isEqualTo(new Frame("", "shop.Main", "main", ":3"));
        assertThat(Frame.of("custom/shop.web@1.2/shop.Main.main(Main.java:3)"))
                .isEqualTo(new Frame("shop.web", "shop.Main", "main", ":3"));
        assertThat(Frame.of("shop.Main.main(Unknown Source)"))
                .isEqualTo(new Frame("", "shop.Main", "main", ""));
    }

    @Test
    void theNumberOfAHiddenClassIsLeftOut() {
        assertThat(Frame.of("shop.Main$$Lambda/0x00007f1c2c0c4a00.run(Unknown Source)"))
                .isEqualTo(new Frame("", "shop.Main$$Lambda", "run", ""));
        assertThat(
                        Frame.of(
                                "java.base/java.lang.invoke.LambdaForm$MH/0x0000000800002000.invoke(LambdaForm$MH)"))
                .isEqualTo(new Frame("java.base", "java.lang.invoke.LambdaForm$MH", "invoke", ""));
    }

    @Test
    void namesThatNoJavaCompilerWritesAreKept() {
        assertThat(Frame.of("shop.Scala$.a:b(Scala.scala:7)"))
                .isEqualTo(new Frame("", "shop.Scala$", "a:b", ":7"));
        assertThat(Frame.of("Unnamed.main")).isEqualTo(new Frame("", "Unnamed", "main", ""));
        assertThat(Frame.of("odd")).isEqualTo(new Frame("", "", "odd", ""));
        assertThat(Frame.of("")).isEqualTo(new Frame("", "", "", ""));
    }
}
