/** The agent's own lines on stderr. Uses no logging framework, since those belong to the application. Depends on nothing. */
package io.vtagent.log;
