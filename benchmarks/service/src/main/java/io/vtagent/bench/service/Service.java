package io.vtagent.bench.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers requests on virtual threads with what a query found: {@code /article/ID} never blocks for
 * long, {@code /pinned/ID} pins first. Spring calls functions rather than methods by reflection
 * here, so that nothing else pins where reflection is native.
 */
@SpringBootApplication
public class Service {
    private final Environment environment;

    Service(Environment environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Service.class, arguments);
    }

    @Bean
    RouterFunction<ServerResponse> routes(JdbcClient articles) {
        return RouterFunctions.route()
                .GET("/article/{id}", request -> answer(articles, request))
                .GET(
                        "/pinned/{id}",
                        request -> {
                            Pin.once();
                            return answer(articles, request);
                        })
                .build();
    }

    private static ServerResponse answer(JdbcClient articles, ServerRequest request) {
        String article =
                articles.sql("select title || ': ' || body from article where id = ?")
                        .param(Integer.parseInt(request.pathVariable("id")))
                        .query(String.class)
                        .single();
        return ServerResponse.ok().body(article);
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        System.out.println("listening=" + environment.getProperty("local.server.port"));
    }
}
