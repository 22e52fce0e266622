package io.vtagent.demo.web;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Descriptors;
import io.vtagent.demo.workload.SiblingJvm;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A web service whose requests block for 300 ms, asked by many users at a time: with a platform
 * thread for each request, as far as the pool goes, with a virtual thread for each, and with none.
 * The users are a process of their own, {@link WebUsers}.
 */
public final class WebDemo implements DemoCase {

    private static final String REQUESTS_PER_SECOND = "requests/s";
    private static final String TOMCAT_200 = "tomcat-200";
    private static final String TOMCAT_512 = "tomcat-512";
    private static final String TOMCAT_800 = "tomcat-800";
    private static final String TOMCAT_VIRTUAL = "tomcat-virtual";
    private static final String WEBFLUX = "webflux";

    @Override
    public String name() {
        return "web";
    }

    @Override
    public String shows() {
        return "Requests that block for 300 ms, 3,000 at a time: Tomcat with 200, 512 and 800"
                + " platform threads, Tomcat on virtual threads, and Spring WebFlux.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                                Article.EXPLORATION,
                                "Requests per second (and mean response time) with 3,000 users:"
                                    + " 624.5 (2,660 ms), 1,564.1 (984 ms) and 2,340 (661 ms) with"
                                    + " 200, 512 and 800 platform threads, 5,217 (316 ms) on"
                                    + " virtual threads, and 5,281.3 (310 ms) with WebFlux. Virtual"
                                    + " threads are not inferior to WebFlux.")
                        .with(TOMCAT_200, 624.5)
                        .with(TOMCAT_512, 1_564.1)
                        .with(TOMCAT_800, 2_340)
                        .with(TOMCAT_VIRTUAL, 5_217)
                        .with(WEBFLUX, 5_281.3),
                Claim.of(
                        Article.EXPLORATION,
                        "An application that never has 10,000 virtual threads or more is unlikely"
                                + " to benefit from them."),
                Claim.of(
                        Article.EXPLORATION,
                        "Virtual threads improve the throughput, not the latency."));
    }

    @Override
    public String comparison() {
        return "The pools are where the article has them: 200 threads do 200 requests each 300 ms,"
                + " on any machine. Of virtual threads and WebFlux, users who ask again at once"
                + " get 10 requests in 3 s each if the machine keeps up; where it does not, the"
                + " figure tells of its processors, which server and users share here. The"
                + " article's mean times do not fit its throughput: 3,000 users who are served"
                + " 624.5 requests a second wait 4.8 s each (Little's law), which is its 95th"
                + " percentile; its mean may be that of a run most of which is the start. The"
                + " requests of the article come from JMeter and its services from Spring Boot"
                + " 3.2; here users are virtual threads of a JVM, and Tomcat and WebFlux run"
                + " without Boot. The rule of 10,000 does not fit either: here there are never"
                + " more than 3,000, and they serve several times as much as the pool of 200."
                + " Nor does the claim on latency, as soon as requests wait for a thread. With"
                + " 3,000 users Tomcat on virtual threads falls behind WebFlux on JDK 21, and"
                + " the agent says why: it registers and unregisters a processor for each"
                + " request beyond the 200 that it keeps, inside a monitor. Letting it keep all"
                + " of them (processorCache=-1) cut the time that carriers were held to a"
                + " quarter in a run here.";
    }

    @Override
    public String figure() {
        return REQUESTS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(TOMCAT_200, "Tomcat, at most 200 platform threads"),
                Variant.of(TOMCAT_512, "Tomcat, at most 512 platform threads"),
                Variant.of(TOMCAT_800, "Tomcat, at most 800 platform threads"),
                Variant.of(TOMCAT_VIRTUAL, "Tomcat, a virtual thread for each request"),
                Variant.of(WEBFLUX, "Spring WebFlux on Netty"));
    }

    /** A task is a user. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 3_000 : 1_000, 300);
    }

    @Override
    public Optional<String> module() {
        return Optional.of("demo-web");
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        WebServer server = serverFor(variant);
        int port = server.start(variant, settings.latencyMillis());
        int connections = Descriptors.enoughFor(settings.tasks());
        try (SiblingJvm users =
                new SiblingJvm(WebUsers.class, port, connections, settings.latencyMillis())) {
            return Descriptors.noted(users.result(), settings.tasks());
        } finally {
            server.stop();
        }
    }

    private static WebServer serverFor(String variant) {
        return ServiceLoader.load(WebServer.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(server -> server.serves(variant))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "no server for " + variant + " on the class path"));
    }
}
