package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.InProgress;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
    @Test
    void everythingThatHappenedIsOnThePage() {
        assertThat(bodyOf(FullReport.everything())).isEqualTo("""
                <h1>Carriers were held for 2.00 s by 4 pins</h1>
                <p class="where">JDK 21.0.8; a monitor pins a virtual thread to its carrier in this JVM; measured for \
                10.00 s; 1 pin in progress, the oldest for 200.0 ms</p>
                <p>A virtual thread waited 4.0 ms on average, 150.0 ms at most, for a carrier, and one has been waiting \
                for 3.00 s.</p>
                <p>Every carrier was held with work queued for 6.50 s in all.</p>
                <h2>Stuck now</h2><p><b>`ReentrantLock@1` is owned by `late`.</b></p><details open><summary>The carriers, \
                when all had been held for 5.00 s</summary><pre>`ReentrantLock@1` is owned by `late`.
                  &quot;late&quot; #9 has ReentrantLock@1, and waits for Db@3
                  ReentrantLock@1: is owned by &quot;late&quot; #9; in its queue: &quot;first&quot; #21
                  Semaphore@2: has no owner; in its queue: nobody
                  ready to run, without a carrier: 7 (&quot;late&quot; #9, #10)
                  worker-1 carries &quot;first&quot; #21: park for 5000 ms, waits for ReentrantLock@1, which \
                &quot;late&quot; #9 has
                      shop.Db.query(Db.java:7)
                      shop.Main.&lt;init&gt;(Main.java:1)
                  worker-2 carries #22: runnable
                  relief=stuck would help</pre></details>
                <p>relief made up for 2.5 ms of it (1,234 pins) and added 12 carriers.</p>
                <p>Of this, on JDK 24 and later 75 % of it (1.50 s) would go away with the monitors, 500.0 ms would \
                stay.</p>
                <h2>By kind</h2><table><tr><th>Kind, reason<th class="n">Pins<th class="n">Held<th class="n">Longest</tr>
                <tr><td>park, monitor<td class="n">3<td class="n">1.50 s<td class="n">900.0 ms</tr>
                <tr><td>io, none, compensated<td class="n">1<td class="n">500.0 ms<br><small>200.0 ms by 1 in progress</small>\
                <td class="n">300.0 ms</tr>
                </table>
                <h2>By site</h2><table><tr><th>Site<th class="n">Pins<th class="n">Held<th class="n">Longest</tr>
                <tr><td><code>shop.Cache.&lt;init&gt;:28</code> park<div class="bar" style="width:75%"></div>\
                <p class="advice">do &quot;this&quot; &amp; that</p>\
                <p class="advice">also above shop.Native.call:?, a native frame, class initializer or class loader, which would hold \
                the carrier without the monitor, too</p>\
                <details><summary>blocked in <code>java.lang.Thread.sleep</code></summary><pre>\
                java.base/java.lang.Thread.sleep(Thread.java:509)
                <mark>shop.Cache.&lt;init&gt;(Cache.java:28)  &lt;== monitor: shop.Cache</mark>
                shop.Main.main(Main.java:3)  &lt;== monitor: shop.Main, shop.Lock; the wait keeps shop.Lock
                </pre></details><td class="n">3<td class="n">1.50 s<td class="n">750.0 ms</tr>
                <tr><td><code>shop.Main.main:4</code> class_init<div class="bar" style="width:15%"></div>\
                <p class="advice">earlier</p><details><summary>blocked in <code>class initialization</code></summary><pre>\
                <mark>shop.Main.main(Main.java:4)  &lt;== class initializer</mark>
                </pre></details><td class="n">1<td class="n">300.0 ms<td class="n">150.0 ms</tr>
                <tr><td><code>shop.Files.load:5</code> in <code>java.io.FileInputStream.read:9</code> io<div class="bar" style="width:7%"></div>\
                <p class="advice">pool</p><details><summary>blocked in <code>java.io.FileInputStream.read</code></summary>\
                <pre>java.base/java.io.FileInputStream.read(FileInputStream.java:9)
                </pre></details><td class="n">1<td class="n">150.0 ms<td class="n">75.0 ms</tr>
                <tr><td><code>(other)</code> park<div class="bar" style="width:2%"></div><p class="advice">raise</p>\
                <td class="n">2<td class="n">50.0 ms<td class="n">25.0 ms</tr>
                </table>
                """);
    }

    @Test
    void aPeriodThatIsOverIsToldAndFolded() {
        PinReport.Starved over = new PinReport.Starved(1, 1, FullReport.DIAGNOSIS, false);
        assertThat(bodyOf(FullReport.with(over)))
                .contains("<h2>The last time that nothing moved</h2>", "</p><details><summary>The carriers")
                .contains("no pin in progress")
                .doesNotContain("Stuck now", "<details open>", "A virtual thread waited", "relief made up");
    }

    @Test
    void whatNeverStarvedIsNotSaidToHave() {
        assertThat(bodyOf(FullReport.with(PinReport.Starved.NEVER)))
                .doesNotContain("Every carrier", "Stuck", "nothing");
    }

    @Test
    void whereMonitorsDoNotPinNothingIsForeseen() {
        assertThat(bodyOf(FullReport.withoutMonitorPins())).doesNotContain("Of this,");
    }

    @Test
    void withoutPinsThereIsAHeadingAndNoTable() {
        assertThat(bodyOf(FullReport.withoutPins(InProgress.NONE, PinReport.Starved.NEVER)))
                .startsWith("<h1>No virtual thread held its carrier</h1>\n")
                .contains("; no pin in progress</p>")
                .doesNotContain("<table>", "Of this");
    }

    private static String bodyOf(PinReport report) {
        String page = HtmlReport.render(report);
        assertThat(page).startsWith("<!doctype html>\n").endsWith("</body></html>\n");
        return page.substring(page.indexOf("<body>\n") + 7, page.indexOf("</body>"));
    }
}
