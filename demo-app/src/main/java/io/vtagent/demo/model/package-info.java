/**
 * What every case says of itself, is given, and gives back; it depends on {@code
 * io.vtagent.demo.text} for how a result is written.
 */
package io.vtagent.demo.model;
