/**
 * The case {@code connection-pool}: a pool of JDBC connections with wait and notify, and the same
 * pool fixed. It depends on the JDK, on a JDBC driver and on what the cases share, and on no other
 * case.
 */
package io.vtagent.demo.connectionpool;
