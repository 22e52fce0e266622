/**
 * What the probe calls on the application's threads: {@code Hooks} turn the calls into pins, find
 * their sites, request relief, and count them at the slot of their carrier. The hot path: nothing
 * in here may block. Used by {@code ledger}, which reads what they have counted, and {@code
 * relief}.
 */
package io.vtagent.hook;
