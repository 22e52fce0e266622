/**
 * The exporters, one class for each; each package below has one protocol. Only the root package
 * uses it.
 */
package io.vtagent.exporter;
