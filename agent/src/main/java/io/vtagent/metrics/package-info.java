/** Micrometer meters over what was recorded. Depends on {@code record} and {@code instrument}'s results. */
package io.vtagent.metrics;
