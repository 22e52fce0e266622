/** The agent's own threads. Depends only on {@code log}. */
package io.vtagent.thread;
