/**
 * Facts about threads, classes and monitors that HotSpot keeps in its own memory, each proved
 * before it is believed.
 */
package io.vtagent.hotspot;
