/** The agent's own threads. Depends on {@code log} alone. */
package io.vtagent.thread;
