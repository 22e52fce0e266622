package io.vtagent.demo.manythreads;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The stacks of all platform threads of this JVM, as its native memory tracking counts them.
 *
 * @param reserved address space, in KiB
 * @param committed memory that was touched, in KiB
 */
record ThreadStacks(long reserved, long committed) {

    /** In the summary of native memory tracking. */
    private static final Pattern STACKS =
            Pattern.compile("\\(stack: reserved=(\\d+)KB, committed=(\\d+)KB");

    static ThreadStacks now() throws JMException {
        Object summary =
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "vmNativeMemory",
                                new Object[] {new String[] {"summary"}},
                                new String[] {String[].class.getName()});
        Matcher stacks = STACKS.matcher(summary.toString());
        if (!stacks.find()) {
            throw new IllegalStateException(
                    "native memory tracking says nothing of stacks: " + summary);
        }
        return new ThreadStacks(Long.parseLong(stacks.group(1)), Long.parseLong(stacks.group(2)));
    }
}
