/**
 * The description, the input and the result that every case has; it depends on {@code
 * io.vtagent.demo.text} for how a result is written.
 */
package io.vtagent.demo.model;
