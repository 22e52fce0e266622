package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.Samples;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PinLogTest {
    private static final long MILLIS = 1_000_000;

    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(
                            "java.base/java.lang.VirtualThread.park(VirtualThread.java:1)",
                            "java.base/java.lang.Thread.sleepNanos(Thread.java:2)",
                            "java.base/java.lang.Thread.sleep(Thread.java:3)",
                            "shop.Cache.get(Cache.java:28)",
                            "shop.Main.main(Main.java:3)"),
                    3,
                    "shop.Cache.get:28",
                    PinnedStack.Cause.MONITOR,
                    "shop.Cache",
                    "java.lang.Thread.sleep",
                    null,
                    null,
                    Map.of(
                            "shop.Cache.get(Cache.java:28)",
                            new PinnedStack.Monitors("shop.Cache", null)));

    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final List<ActivePin> active = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final Thread thread = Thread.ofVirtual().name("order-7").unstarted(() -> {});
    private final PinLog log =
            new PinLog(ledger, () -> active, 100 * MILLIS, List.of(), List.of(), lines::add);

    @BeforeEach
    void begin() {
        log.begin();
    }

    @AfterEach
    void end() {
        log.end();
    }

    @Test
    void aLongPinIsALineWithItsThreadAndStack() {
        add(312);
        add(99);
        log.onIdle();

        assertThat(lines)
                .containsExactly(
                        "pin of 312.0 ms, park, monitor: shop.Cache.get:28, blocked in"
                                + " java.lang.Thread.sleep, thread \"order-7\" #"
                                + thread.threadId()
                                + "; java.base/java.lang.VirtualThread.park(VirtualThread.java:1)"
                                + " < java.base/java.lang.Thread.sleepNanos(Thread.java:2)"
                                + " < java.base/java.lang.Thread.sleep(Thread.java:3)"
                                + " < => shop.Cache.get(Cache.java:28)  <== monitor: shop.Cache"
                                + " < shop.Main.main(Main.java:3)");
    }

    @Test
    void moreThanTenASecondAreCounted() {
        for (int i = 0; i < 1_300; i++) {
            add(100);
        }
        log.onIdle();

        assertThat(lines).hasSize(11);
        assertThat(lines.getLast()).isEqualTo("not logged: 1,290 pins of at least 100.0 ms");
        log.onIdle();
        assertThat(lines).as("each is logged once").hasSize(11);
    }

    /** Otherwise it could be that of the next request. */
    @Test
    void aPinThatEndsWhileItsContextIsReadHasNone() {
        ThreadLocal<HashMap<String, String>> context = ThreadLocal.withInitial(HashMap::new);
        context.get().put("traceId", "4bf92f");
        List<ActivePin> pins = List.of(inProgress(Thread.currentThread(), 150));

        assertThat(linesOf(pins, pins)).singleElement().asString().contains("traceId=4bf92f");
        assertThat(linesOf(pins, List.of())).singleElement().asString().doesNotContain("traceId");
        context.remove();
    }

    private List<String> linesOf(List<ActivePin> first, List<ActivePin> then) {
        List<String> logged = new ArrayList<>();
        Iterator<List<ActivePin>> answers = List.of(first, then).iterator();
        PinLog withContext =
                new PinLog(
                        ledger,
                        () -> answers.hasNext() ? answers.next() : List.of(),
                        100 * MILLIS,
                        List.of("traceId"),
                        List.of(),
                        logged::add);
        withContext.onIdle();
        return logged;
    }

    @Test
    void aPinInProgressIsALineOnceAndAgainWhenItHasEnded() {
        active.add(inProgress(90));
        log.onIdle();
        assertThat(lines).isEmpty();

        active.set(0, inProgress(150));
        log.onIdle();
        log.onIdle();
        assertThat(lines).hasSize(1).allMatch(line -> line.startsWith("pin of 150.0 ms so far,"));

        active.clear();
        add(200);
        log.onIdle();
        assertThat(lines).hasSize(2);

        active.add(inProgress(300));
        log.onIdle();
        assertThat(lines).as("another pin of the same thread").hasSize(3);
    }

    @Test
    void afterTheEndNothingIsLogged() {
        add(200);
        log.end();
        add(300);
        log.onIdle();

        assertThat(lines).hasSize(1);
    }

    private ActivePin inProgress(long millis) {
        return inProgress(thread, millis);
    }

    private static ActivePin inProgress(Thread pinned, long millis) {
        return ActivePins.of(
                PinKind.PARK,
                PinReason.MONITOR,
                millis * MILLIS,
                pinned,
                Thread.currentThread(),
                false,
                null,
                null);
    }

    private void add(long millis) {
        ledger.addSampled(
                PinKind.PARK,
                PinReason.MONITOR,
                millis * MILLIS,
                new Samples(1, 3, 0),
                PinnedThread.of(thread, 0),
                () -> STACK);
    }
}
