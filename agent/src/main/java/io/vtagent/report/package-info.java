/** The report: what was measured and what to do about it, as text, JSON and HTML. Depends on {@code record} alone. */
package io.vtagent.report;
