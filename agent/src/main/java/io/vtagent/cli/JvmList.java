package io.vtagent.cli;

import com.sun.tools.attach.VirtualMachine;
import com.sun.tools.attach.VirtualMachineDescriptor;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The list of the JVMs on this machine that can be attached to, and of their virtual threads. */
final class JvmList {
    private static final String FORMAT = "%7s  %-9s  %-38s  %-28s  %s%n";
    private static final int MAX_NAME = 60;

    /** A JVM that is starved of CPU time takes seconds. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private JvmList() {}

    /**
     * @param pid the process id
     * @param name the main class and its arguments
     */
    private record Row(long pid, String java, String virtualThreads, String agent, String name) {}

    /**
     * Prints the list.
     *
     * @throws BadInputException if this runtime cannot attach to a JVM
     */
    static void print(PrintWriter out) {
        List<Row> rows = rows();
        out.printf(FORMAT, "PID", "JAVA", "VIRTUAL THREADS", "VT-AGENT", "PROGRAM");
        for (Row row : rows) {
            out.printf(FORMAT, row.pid, row.java, row.virtualThreads, row.agent, row.name);
        }
    }

    private static List<Row> rows() {
        List<JvmQuery> queries = new ArrayList<>();
        try {
            for (VirtualMachineDescriptor each : VirtualMachine.list()) {
                long pid = Long.parseLong(each.id());
                if (pid != ProcessHandle.current().pid()) {
                    queries.add(
                            new JvmQuery(pid, Line.plain(each.displayName()).cut(MAX_NAME).text()));
                }
            }
        } catch (LinkageError noModule) {
            throw new BadInputException(
                    "this Java runtime lacks the module jdk.attach, which the command needs: use"
                            + " a complete JDK");
        }
        queries.sort(Comparator.comparingLong(query -> query.pid));
        queries.forEach(JvmQuery::start);
        long untilNanos = System.nanoTime() + MAX_WAIT_NANOS;
        return queries.stream().map(query -> query.await(untilNanos)).toList();
    }

    /**
     * Asks one JVM, on a thread of its own: a JVM that is stopped (SIGSTOP, a frozen container)
     * never answers.
     */
    private static final class JvmQuery {
        private final long pid;
        private final String name;
        private final FutureTask<Row> task;

        JvmQuery(long pid, String name) {
            this.pid = pid;
            this.name = name;
            task = new FutureTask<>(() -> row(pid, name));
        }

        void start() {
            Thread.ofPlatform().daemon().name("attach to " + pid).start(task);
        }

        Row await(long untilNanos) {
            try {
                long leftNanos = Math.max(untilNanos - System.nanoTime(), 0);
                return task.get(leftNanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException stopped) {
                return new Row(pid, "?", "no answer", "?", name);
            } catch (ExecutionException | InterruptedException failed) {
                return new Row(pid, "?", "cannot be attached to", "?", name);
            }
        }
    }

    private static Row row(long pid, String name) {
        try (AttachedJvm jvm = AttachedJvm.of(pid)) {
            String endpoint = jvm.endpoint();
            String agent = endpoint != null ? endpoint : jvm.hasAgent() ? "no endpoint" : "-";
            return new Row(pid, jvm.version(), MountedThreads.of(jvm).inWords(), agent, name);
        } catch (BadInputException refused) {
            return new Row(pid, "?", "cannot be attached to", "?", name);
        }
    }
}
