/** Pins in a known number, for applications of every kind. Uses {@code java.base} alone. */
package io.vtagent.compatibility.pins;
