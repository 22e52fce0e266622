package io.vtagent.record;

/** A pin that has not ended yet. */
public record ActivePin(PinKind kind, long ageNanos, Thread thread, Thread carrier) {}
