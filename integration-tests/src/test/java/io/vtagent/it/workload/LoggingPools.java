package io.vtagent.it.workload;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.zaxxer.hikari.HikariDataSource;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/**
 * {@code POOLS}: virtual threads that each ask a HikariCP of their own for its first connection.
 * HikariCP logs that, in a monitor, through logback, which writes under a lock. A virtual thread
 * that logs has that lock, unmounted because it waits for the stream, until {@code POOLS} threads
 * wait for it.
 */
public final class LoggingPools {
    private LoggingPools() {}

    /** A stream that is as slow as the network, once. */
    private static final class SlowStream extends OutputStream {
        private final CountDownLatch written = new CountDownLatch(1);

        @Override
        public void write(int b) {
            Waiting.forLatch(written);
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            Waiting.forLatch(written);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        SlowStream stream = new SlowStream();
        Logger log = logTo(stream);
        List<HikariDataSource> pools = new ArrayList<>();
        for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:pool" + i);
            pools.add(pool);
        }
        WorkloadConsole.warmUp();
        List<Thread> threads = new ArrayList<>();
        threads.add(
                Thread.ofVirtual().name("logging").start(() -> log.info("one that has the lock")));
        Waiting.awaitAll(threads);
        for (HikariDataSource pool : pools) {
            threads.add(
                    Thread.ofVirtual()
                            .name("connecting-" + threads.size())
                            .start(() -> connect(pool)));
            Waiting.awaitAll(threads);
        }
        stream.written.countDown();
        WorkloadConsole.printAndWait("released");
        Tasks.join(threads);
        WorkloadConsole.done();
    }

    private static Logger logTo(OutputStream stream) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(stream);
        appender.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(appender);
        return root;
    }

    private static void connect(HikariDataSource pool) {
        try (pool;
                var connection = pool.getConnection()) {
            connection.createStatement();
        } catch (java.sql.SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
