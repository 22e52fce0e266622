/**
 * A replacement of {@code java.util.logging} for the libraries in the jar. Only the application may
 * initialize that, because it may have a log manager of its own, and a runtime image may not
 * contain it. Users do not need what the libraries would log.
 */
package io.vtagent.log.nowhere;
