/**
 * The case {@code web}: a web service and its users in a JVM of their own; the servers are in the
 * module {@code demo-web}; it depends on the JDK and on what the cases share, and on no other case.
 */
package io.vtagent.demo.web;
