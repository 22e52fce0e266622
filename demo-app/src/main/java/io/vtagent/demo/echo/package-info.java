/**
 * The case {@code echo}: an echo server with a virtual thread for each connection, and its clients
 * in a JVM of their own; it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.echo;
