/** The agent's entry, and where its parts are put together. Nobody imports it. */
package io.vtagent;
