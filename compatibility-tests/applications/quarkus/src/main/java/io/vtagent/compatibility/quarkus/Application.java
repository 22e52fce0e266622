package io.vtagent.compatibility.quarkus;

import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vtagent.compatibility.pins.Answer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** Quarkus REST, whose requests run on virtual threads. */
@Path("/")
public class Application {

    @GET
    @Path("{path}")
    @RunOnVirtualThread
    public String answer(@PathParam("path") String path) throws Exception {
        return Answer.to("/" + path);
    }
}
