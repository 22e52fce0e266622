/** Helidon with a known number of pins. */
package io.vtagent.compatibility.helidon;
