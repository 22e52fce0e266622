package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.reference.JdkCase;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes that are not ready yet hold the carriers of the threads that need them, on each JDK in
 * another way. {@link JdksTable} has the other ways.
 */
@Tag("long")
final class UnreadyClassesIT {
    private static final List<JdkCase> CASES =
            List.of(JdkCase.AWAITED_LINKING, JdkCase.LOADER, JdkCase.SAME_CLASS);

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theTimeIsOfTheRightKindAndReason(Jdk jdk) {
        List<JdkCell> cells = JdkCell.measure(jdk, CASES).cells();
        for (JdkCase each : CASES) {
            JdkCell cell = cells.get(CASES.indexOf(each));
            String what =
                    each.kindAndReason(jdk.monitorsPin(), jdk.unmountsWaitersForInitializers());
            assertThat(cell.pins()).as("%s pins", each).isEqualTo(!what.isEmpty());
            assertThat(cell.error(what))
                    .as("%s is %s, of %s", each, what, cell.reported())
                    .isLessThan(0.3);
        }
    }
}
