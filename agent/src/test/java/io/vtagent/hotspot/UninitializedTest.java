package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UninitializedTest {

    private static final class Never {
        static final Object VALUE = new Object();
    }

    private static final class Failing {
        static final Object VALUE = fail();

        private static Object fail() {
            throw new IllegalStateException("on purpose");
        }
    }

    static final class Names {
        static int use(List<Object> list) {
            list.add(Never.VALUE);
            return list.size();
        }

        static Object useOther() {
            return new ProcessBuilder();
        }
    }

    @Test
    void onlyLoadedClassesThatAreNotInitializedAreReported() {
        assertThat(Never.class).isNotNull(); // loads it
        assertThat(Uninitialized.isInitialized(Never.class)).isFalse();
        assertThat(Uninitialized.namedBy(Names.class))
                .contains(Never.class)
                .doesNotContain(List.class, Object.class);
        assertThat(Uninitialized.names(Names.class, Object.class)).isTrue();
        assertThat(Uninitialized.names(Names.class, StringBuilder.class)).isFalse();
    }

    @Test
    void whatHasFailedIsNotInitialized() {
        try {
            assertThat(Failing.VALUE).isNull();
        } catch (ExceptionInInitializerError expected) {
            assertThat(expected.getCause()).hasMessage("on purpose");
        }
        assertThat(Uninitialized.isInitialized(Failing.class)).isFalse();
    }
}
