package io.vtagent.it;

import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * An hour in which each site of a report held carriers in each slice, the last one for hardly any
 * time, and its pins lasted for two durations. The first ones may have been single-sample pins that
 * the report folds away.
 */
final class LongHistory {
    private static final int SECONDS = 3_600;

    private LongHistory() {}

    /**
     * @param page a report that was saved
     */
    static String in(String page) {
        int begin = page.indexOf('>', page.indexOf("id=\"history\"")) + 1;
        int end = page.indexOf("</script>", begin);
        Json history = Json.parse(page.substring(begin, end));
        int sites = history.get("sites").list().size();
        StringBuilder seconds = new StringBuilder();
        for (Object column :
                ((Map<?, ?>) Objects.requireNonNull(history.get("seconds").value())).keySet()) {
            seconds.append(seconds.isEmpty() ? "" : ",").append('"').append(column).append("\":");
            seconds.append(
                    IntStream.range(0, SECONDS).map(second -> second % 700).boxed().toList());
        }
        StringBuilder slices = new StringBuilder();
        StringBuilder durations = new StringBuilder();
        for (int slice = 0; slice < SECONDS; slice += 10) {
            StringBuilder row = new StringBuilder("[" + slice);
            StringBuilder ofDurations = new StringBuilder("[" + slice);
            for (int site = 0; site < sites; site++) {
                row.append(',')
                        .append(site)
                        .append(",7,")
                        .append(site == sites - 1 ? 10 : 1_000 * (site + slice % 30))
                        .append(",0");
                ofDurations.append("," + site + ",5,4," + site + ",7,3");
            }
            slices.append(slices.isEmpty() ? "" : ",").append(row).append(']');
            durations.append(durations.isEmpty() ? "" : ",").append(ofDurations).append(']');
        }
        int sitesAt = page.indexOf("\"sites\":", begin);
        String names = page.substring(sitesAt, page.indexOf("\"slices\":", sitesAt));
        return page.substring(0, begin)
                + "{\"first\":0,\"seconds\":{"
                + seconds
                + "},\"sliceSeconds\":10,"
                + names
                + "\"slices\":["
                + slices
                + "],\"unfinishedSlice\":["
                + SECONDS
                + "],\"durationSlices\":["
                + durations
                + "],\"unfinishedDurationSlice\":["
                + SECONDS
                + "]}"
                + page.substring(end);
    }
}
