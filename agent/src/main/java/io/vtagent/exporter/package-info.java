/**
 * The exporters, and what they publish. {@code ExporterManager} creates each {@code Exporter};
 * {@code MeasurementSource} assembles the report, and {@code Answers} the answer. Each package
 * below has one protocol, except {@code page} and {@code history}, which make the page. Only the
 * root package uses it.
 */
package io.vtagent.exporter;
