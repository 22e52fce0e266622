/**
 * In the jar this takes the place of {@code java.util.logging} for the libraries in it: to bring
 * that up is the application's, which may have a log manager of its own, and a runtime image may be
 * without it. What they would log is nothing that a user has to know.
 */
package io.vtagent.log.nowhere;
