package io.vtagent.report;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.report.PinReport.Jvm;
import io.vtagent.site.JdkCode;
import io.vtagent.site.LoaderFrames;
import io.vtagent.site.PinnedStack;

/**
 * Recognizes waits for a class that another thread loads or links. The JVM reports them as entries
 * of a monitor, because it locks a class loader that is not registered as parallel capable before
 * it calls it.
 */
final class ClassWaits {
    private static final String ENTER = "enter";

    private ClassWaits() {}

    /**
     * Returns whether the pins of {@code site} are most likely such waits. Virtual threads do not
     * unmount in them, on any JDK.
     */
    static boolean isOne(Site site, Jvm jvm) {
        PinnedStack stack = site.stack();
        if (site.key().kind() != PinKind.ENTER || stack == null) {
            return false;
        }
        if (site.reason() == PinReason.NONE) {
            return true; // monitors do not pin here, and nothing else on the stack does
        }
        if (site.reason() == PinReason.CRITICAL_SECTION) {
            // so JFR reports the same wait, unless a class loader that the JVM called is in the
            // way
            return !jvm.monitorsPin() && !LoaderFrames.isCall(Advice.withoutLine(keeper(stack)));
        }
        if (site.reason() != PinReason.MONITOR || isOfJdk(stack)) {
            return false;
        }
        String monitor = stack.monitorClass();
        return monitor == null ? classesReportEntries(jvm) : LoaderFrames.isLoader(monitor);
    }

    private static String keeper(PinnedStack stack) {
        return stack.nativeFrame() == null ? stack.holder() : stack.nativeFrame();
    }

    /**
     * Returns whether the application's code reports the monitor that it waits for. If it does, an
     * entry without one is for none of the application's monitors.
     */
    private static boolean classesReportEntries(Jvm jvm) {
        return !jvm.attached() && "".equals(jvm.sensors().get(ENTER));
    }

    /**
     * Returns whether the frame that holds the carrier is the JDK's, whose monitors report nothing.
     */
    static boolean isOfJdk(PinnedStack stack) {
        int holder = stack.holderIndex();
        return holder >= 0
                && holder < stack.frames().size()
                && JdkCode.ownsModule(Frame.of(stack.frames().get(holder)).module());
    }
}
