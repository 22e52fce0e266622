package com.example.articles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import io.vtagent.junit.Pin;
import io.vtagent.junit.Pins;
import io.vtagent.junit.ShouldNotPin;
import io.vtagent.junit.ShouldPin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** The requests are served by virtual threads of Tomcat's, which no test has started. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.threads.virtual.enabled=true")
class ArticlesTest {
    @Value("${local.server.port}")
    private int port;

    /** Only Mockito's inline mocks override a final method. */
    @MockitoBean
    private Articles articles;

    private void get(String path) throws IOException, InterruptedException {
        when(articles.fetch()).thenReturn("a mock");
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
        assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body())
                .isEqualTo("a mock on a virtual thread");
    }

    @Test
    @ShouldPin(byMonitor = true)
    void pinnedByMonitor(Pins pins) throws Exception {
        get("/pinned");

        assertThat(pins).as("%s", pins).extracting(Pin::holder).allMatch(holder -> holder.contains("ArticleController.pinned:"));
    }

    @Test
    @ShouldNotPin
    void fixed() throws Exception {
        get("/fixed");
    }

    @Test
    @ShouldNotPin
    void failsWhereMonitorsPin() throws Exception {
        get("/pinned");
    }

    @Test
    @ShouldPin
    void failsWhereMonitorsDoNotPin() throws Exception {
        get("/pinned");
    }
}
