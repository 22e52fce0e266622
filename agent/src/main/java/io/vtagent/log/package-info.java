/**
 * The agent's log on stderr. Uses no logging framework, because those belong to the application.
 * Depends on nothing.
 */
package io.vtagent.log;
