/**
 * The bridge from the agent's meters to the application's own Micrometer, which is another copy in
 * another class loader. Depends on {@code metrics}, {@code pin}, {@code hotspot}, {@code jvm},
 * {@code log} and {@code thread}. Calls the application's classes only by reflection, on its own
 * threads.
 */
package io.vtagent.exporter.bridge;
