/**
 * The case {@code finding}: one workload with every sort of pin, and tools that find them, of which
 * some are in the module {@code demo-tools}; it depends on the JDK and on what the cases share, and
 * on no other case.
 */
package io.vtagent.demo.finding;
