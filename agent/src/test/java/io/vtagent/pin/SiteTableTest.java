package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class SiteTableTest {
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(),
                    -1,
                    "A.a:1",
                    PinnedStack.Cause.NONE,
                    null,
                    "synchronized",
                    null,
                    null,
                    Map.of());

    @Test
    void theSameKeyIsTheSameSite() {
        SiteTable table = new SiteTable(10);
        assertThat(site(table, 1)).isSameAs(site(table, 1)).isNotSameAs(site(table, 2));
        assertThat(table.sites()).hasSize(2);
    }

    @Test
    void theFirstStackThatReportsTheMonitorDoesSoForAll() {
        SiteTable table = new SiteTable(10);
        Site site = site(table, 1);
        for (String monitor : List.of("shop.Cart", "shop.Other")) {
            assertThat(table.siteOf(site.key(), PinReason.MONITOR, STACK.withMonitor(monitor)))
                    .isSameAs(site);
        }
        assertThat(site.stack()).isEqualTo(STACK.withMonitor("shop.Cart"));
    }

    @Test
    void sitesBeyondTheLimitShareOneOfTheirKind() {
        SiteTable table = new SiteTable(3);
        for (int i = 0; i < 10; i++) {
            assertThat(table.isFull()).isEqualTo(i > 2);
            site(table, i).add(100);
        }
        assertThat(table.sites()).hasSize(4);
        assertThat(table.sites())
                .filteredOn(site -> site.key().equals(PinSite.other(PinKind.PARK)))
                .singleElement()
                .satisfies(other -> assertThat(other.count()).isEqualTo(7))
                .satisfies(other -> assertThat(other.nanos()).isEqualTo(700));
    }

    @Test
    void threadsThatAddTheSameSitesAtOnceLoseNothing() throws InterruptedException {
        SiteTable table = new SiteTable(100);
        int threads = 4;
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int thread = 0; thread < threads; thread++) {
                executor.execute(
                        () -> {
                            awaitUninterruptibly(start);
                            for (int i = 0; i < 100_000; i++) {
                                site(table, i % 150).add(1);
                            }
                        });
            }
            start.countDown();
        }
        assertThat(table.sites()).hasSize(101);
        assertThat(table.sites().stream().mapToLong(Site::count).sum())
                .isEqualTo(threads * 100_000L);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static Site site(SiteTable table, int number) {
        return table.siteOf(
                new PinSite("A.a:" + number, "A.a:1", "synchronized", PinKind.PARK),
                PinReason.MONITOR,
                STACK);
    }
}
