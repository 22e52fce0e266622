/** The agent's entry point and the assembly of its parts. No other package imports it. */
package io.vtagent;
