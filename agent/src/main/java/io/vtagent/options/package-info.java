/** The agent's options: where they come from, what they may be. Depends on {@code log} alone. */
package io.vtagent.options;
