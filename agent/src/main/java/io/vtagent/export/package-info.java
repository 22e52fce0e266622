/**
 * Ways out: the Prometheus registry and the HTTP endpoint. Depends on {@code log} and {@code thread} alone, and is handed what it serves and the
 * socket that it listens on.
 */
package io.vtagent.export;
