package io.vtagent.cli;

import io.vtagent.log.PlainText;
import io.vtagent.report.PinReport.Held;
import java.util.Locale;

/**
 * The result of a gate as JUnit's XML, in the part of the format that Surefire's and Jenkins'
 * schemas have in common.
 */
final class JunitXml {
    /** The most findings that one case lists, each with its stack. */
    private static final int MAX_FINDINGS = 20;

    private JunitXml() {}

    static String of(GateResult result) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        xml.append(
                String.format(
                        Locale.ROOT,
                        "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"0\""
                                + " skipped=\"0\" time=\"0\">\n",
                        escaped(result.name()),
                        result.cases().size(),
                        result.failed().size()));
        result.cases().forEach(each -> append(xml, each));
        return xml.append("</testsuite>\n").toString();
    }

    private static void append(StringBuilder xml, GateCase each) {
        xml.append("  <testcase classname=\"").append(escaped(each.className()));
        xml.append("\" name=\"").append(escaped(each.name())).append("\" time=\"0\"");
        if (each.findings().isEmpty()) {
            xml.append("/>\n");
            return;
        }
        xml.append(">\n    ");
        if (each.failed()) {
            xml.append("<failure type=\"").append(escaped(each.className()));
            xml.append("\" message=\"").append(escaped(message(each))).append("\">");
            xml.append(escaped(details(each))).append("</failure>\n");
        } else {
            xml.append("<system-out>").append(escaped(details(each))).append("</system-out>\n");
        }
        xml.append("  </testcase>\n");
    }

    private static String message(GateCase each) {
        int more = each.findings().size() - 1;
        return each.findings().getFirst().what()
                + (more == 0 ? "" : ", and " + more + (more == 1 ? " more site" : " more sites"));
    }

    /** Returns the findings with their stacks, in the form that IDEs make clickable. */
    private static String details(GateCase each) {
        StringBuilder text = new StringBuilder();
        each.findings().stream().limit(MAX_FINDINGS).forEach(finding -> append(text, finding));
        int more = each.findings().size() - MAX_FINDINGS;
        if (more > 0) {
            text.append("\n... and ")
                    .append(more)
                    .append(more == 1 ? " more site\n" : " more sites\n");
        }
        return text.toString();
    }

    private static void append(StringBuilder text, Finding finding) {
        text.append(text.isEmpty() ? "" : "\n");
        text.append(PlainText.ofName(finding.what())).append('\n');
        Held site = finding.site();
        if (site == null) {
            return;
        }
        text.append("advice: ").append(PlainText.ofName(site.advice())).append('\n');
        if (site.stack() != null) {
            for (String frame : site.stack().frames()) {
                text.append("\tat ").append(PlainText.ofName(frame)).append('\n');
            }
        }
    }

    /**
     * Escapes text for an attribute or an element. Characters that XML does not have, even as
     * references, become question marks.
     */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints()
                .forEach(
                        point -> {
                            switch (point) {
                                case '&' -> escaped.append("&amp;");
                                case '<' -> escaped.append("&lt;");
                                case '>' -> escaped.append("&gt;");
                                case '"' -> escaped.append("&quot;");
                                case '\n', '\t' -> escaped.append((char) point);
                                default -> escaped.appendCodePoint(isXml(point) ? point : '?');
                            }
                        });
        return escaped.toString();
    }

    private static boolean isXml(int point) {
        return point >= ' '
                && !Character.isISOControl(point)
                && !(point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE)
                && point != 0xFFFE
                && point != 0xFFFF;
    }
}
