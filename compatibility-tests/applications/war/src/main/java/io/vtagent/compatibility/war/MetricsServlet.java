package io.vtagent.compatibility.war;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;

/** A registry of the web application's own, in its own Micrometer: each measurement is a line. */
@WebServlet(value = "/metrics", loadOnStartup = 1)
public final class MetricsServlet extends HttpServlet {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Override
    public void init() {
        Metrics.addRegistry(registry);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        PrintWriter out = response.getWriter();
        for (Meter meter : registry.getMeters()) {
            meter.measure()
                    .forEach(
                            measurement ->
                                    out.println(
                                            meter.getId().getName()
                                                    + meter.getId().getTags()
                                                    + " "
                                                    + measurement.getStatistic()
                                                    + " "
                                                    + measurement.getValue()));
        }
    }
}
