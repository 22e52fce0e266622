/**
 * The texts that the JVMs of the demo read of each other: JSON, and the Prometheus format, in which
 * the agent answers; it depends on nothing else of the demo.
 */
package io.vtagent.demo.text;
