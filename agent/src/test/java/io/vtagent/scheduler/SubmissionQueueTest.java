package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SubmissionQueueTest {
    @Test
    void theNumberByWhichTheSchedulerChoosesIsAnotherOneEachTime()
            throws ReflectiveOperationException {
        Field number = Thread.class.getDeclaredField("threadLocalRandomProbe");
        number.setAccessible(true);
        Set<Integer> numbers = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            SubmissionQueue.change();
            numbers.add(number.getInt(Thread.currentThread()));
        }
        assertThat(numbers).hasSizeGreaterThan(5).allMatch(each -> each > 0);
    }
}
