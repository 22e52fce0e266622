/**
 * Looks at the carriers from outside, a hundred times a second: finds those that are held by what no sensor notices, and says why
 * nothing moves when all of them are held. Depends on {@code record} and {@code vm}.
 */
package io.vtagent.watch;
