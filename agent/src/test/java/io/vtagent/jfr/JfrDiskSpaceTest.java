package io.vtagent.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JfrDiskSpaceTest {
    private static final long MIB = 1 << 20;

    /** A file system of which {@code usableMib} of {@code totalMib} are free. */
    private static final class Disk extends File {
        private static final long serialVersionUID = 1;

        private final long totalMib;
        private final long usableMib;

        Disk(long totalMib, long usableMib) {
            super("/var/tmp");
            this.totalMib = totalMib;
            this.usableMib = usableMib;
        }

        @Override
        public long getTotalSpace() {
            return totalMib * MIB;
        }

        @Override
        public long getUsableSpace() {
            return usableMib * MIB;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "64, 32", // such as a volume in memory
        "640, 32",
        "10000, 500",
        "20480, 1024",
        "1000000, 1024",
        "0, 0" // not known
    })
    void someIsToBeLeftAndMoreOfALargeFileSystem(long totalMib, long leastMib) {
        assertThat(new JfrDiskSpace(new Disk(totalMib, leastMib)).missing()).isEmpty();
        assertThat(new JfrDiskSpace(new Disk(totalMib, 2 * leastMib)).missingToBegin()).isEmpty();
        if (leastMib > 0) {
            assertThat(new JfrDiskSpace(new Disk(totalMib, leastMib - 1)).missing()).isNotEmpty();
            assertThat(new JfrDiskSpace(new Disk(totalMib, 2 * leastMib - 1)).missingToBegin())
                    .isNotEmpty();
        }
    }

    @Test
    void whatIsMissingIsASentence() {
        assertThat(new JfrDiskSpace(new Disk(64, 31)).missing())
                .isEqualTo(
                        "Flight Recorder writes to /var/tmp, where 31 MiB are free, expected at"
                                + " least 32: without space it would end the JVM");
    }

    @Test
    void aFolderThatIsNotThereKeepsNobodyFromTrying() {
        JfrDiskSpace missing = new JfrDiskSpace(new File("/no/such/folder"));
        assertThat(missing.missing()).isEmpty();
        assertThat(missing.missingToBegin()).isEmpty();
    }
}
