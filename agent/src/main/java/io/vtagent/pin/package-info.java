/**
 * What a pin is: its kind, reason, site, thread and duration, while it lasts and afterwards. Used
 * by all that find, keep or show pins.
 */
package io.vtagent.pin;
