package io.vtagent.log.nowhere;

/** The levels that the libraries in the jar name. */
public final class Level {
    public static final Level FINEST = new Level();
    public static final Level FINER = new Level();
    public static final Level FINE = new Level();
    public static final Level INFO = new Level();
    public static final Level WARNING = new Level();
    public static final Level SEVERE = new Level();

    private Level() {}
}
