package io.vtagent.demo.web;

/**
 * A web server that takes its time for each request to {@code /get}; the module {@code demo-web}
 * provides them.
 */
public interface WebServer {

    /** The body of every answer. */
    String ANSWER = "ok";

    boolean serves(String variant);

    /**
     * Starts it on a port that is free.
     *
     * @return the port
     */
    int start(String variant, int latencyMillis) throws Exception;

    void stop() throws Exception;
}
