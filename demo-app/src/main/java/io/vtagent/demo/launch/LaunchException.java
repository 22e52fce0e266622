package io.vtagent.demo.launch;

/** Says in one sentence why a run failed, followed by what the JVM itself has said, if anything. */
final class LaunchException extends Exception {

    private static final long serialVersionUID = 1;

    LaunchException(String message) {
        super(message);
    }
}
