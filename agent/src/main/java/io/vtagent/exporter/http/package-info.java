/**
 * The Prometheus registry and the HTTP endpoint. Depends only on {@code log} and {@code thread}:
 * the caller passes the content to serve and the socket to listen on.
 */
package io.vtagent.exporter.http;
