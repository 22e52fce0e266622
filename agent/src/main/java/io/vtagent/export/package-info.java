/** Ways out: the Prometheus registry and the HTTP endpoint. Depends on {@code log} alone, and is handed what it serves. */
package io.vtagent.export;
