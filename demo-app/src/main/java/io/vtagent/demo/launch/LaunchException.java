package io.vtagent.demo.launch;

/**
 * The failure of a run: a sentence with the reason, followed by the output of the JVM itself, if
 * any.
 */
final class LaunchException extends Exception {

    private static final long serialVersionUID = 1;

    LaunchException(String message) {
        super(message);
    }
}
