package io.vtagent.compatibility.micronaut;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Produces;
import io.micronaut.runtime.Micronaut;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.vtagent.compatibility.pins.Answer;

/** Micronaut, whose requests run on virtual threads. */
@Controller
public class Application {

    public static void main(String[] arguments) {
        ApplicationContext context = Micronaut.run(Application.class, arguments);
        // Micronaut itself leaves Micrometer's global registry empty
        Metrics.addRegistry(context.getBean(MeterRegistry.class));
        EmbeddedServer server = context.getBean(EmbeddedServer.class);
        System.out.println("listening=" + server.getPort());
    }

    @Get("/{path}")
    @Produces(MediaType.TEXT_PLAIN)
    @ExecuteOn(TaskExecutors.VIRTUAL)
    public String answer(@PathVariable("path") String path) throws Exception {
        return Answer.to("/" + path);
    }
}
