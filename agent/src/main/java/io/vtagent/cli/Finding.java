package io.vtagent.cli;

import io.vtagent.report.PinReport.Held;
import org.jspecify.annotations.Nullable;

/**
 * A fact that a gate reports.
 *
 * @param limit the limit that was exceeded, as the user gave it; for a comparison without a limit,
 *     what was compared
 * @param what the fact as a clause
 * @param site null if it concerns the whole report
 */
record Finding(String limit, String what, @Nullable Held site) {}
