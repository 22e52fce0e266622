/** The figures of the last hour, second by second. Depends on {@code report} and {@code json}. */
package io.vtagent.exporter.history;
