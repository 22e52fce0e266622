package io.vtagent.compatibility.springboot;

import io.vtagent.compatibility.pins.Answer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Spring MVC on Tomcat, whose requests run on virtual threads. */
@SpringBootApplication
@RestController
public class Application {
    private final Environment environment;

    Application(Environment environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        System.out.println("listening=" + environment.getProperty("local.server.port"));
    }

    @GetMapping("/{path}")
    String answer(@PathVariable String path) throws Exception {
        return Answer.to("/" + path);
    }
}
