package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StackCacheTest {
    /** The lowest bit of a fingerprint by which its place is chosen. */
    private static final long LOWEST = 1L << 17;

    @Test
    void aResultIsFoundByItsFingerprintAlone() {
        StackCache<String> cache = new StackCache<>(1);
        assertThat(cache.get(1)).isNull();

        cache.put(1, "one");

        assertThat(cache.get(1)).isEqualTo("one");
        assertThat(cache.get(2)).as("in the same place").isNull();
    }

    @Test
    void aNewResultReplacesTheOneInItsPlace() {
        StackCache<String> cache = new StackCache<>(2);
        cache.put(0, "old");
        cache.put(LOWEST, "elsewhere");
        cache.put(2 * LOWEST, "new");

        assertThat(cache.get(0)).isNull();
        assertThat(cache.get(LOWEST)).isEqualTo("elsewhere");
        assertThat(cache.get(2 * LOWEST)).isEqualTo("new");
    }
}
