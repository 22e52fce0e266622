/** The agent's options: their sources and their values. Depends on {@code log} alone. */
package io.vtagent.options;
