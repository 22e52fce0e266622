/**
 * Facts that HotSpot keeps for itself: about threads, classes and monitors, in its own memory, each
 * proved before it is believed; its count of contended monitors; and its safepoints. Depends on
 * {@code jvm}.
 */
package io.vtagent.hotspot;
