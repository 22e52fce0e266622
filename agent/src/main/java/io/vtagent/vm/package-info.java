/** What the JVM alone knows: the stack with its monitors, the carrier of a virtual thread. The only user of the JDK's internals. */
package io.vtagent.vm;
