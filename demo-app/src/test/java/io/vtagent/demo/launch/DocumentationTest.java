package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.DemoCase;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentationTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void theDocumentationHasTheTextsOfTheCatalogueAndTheKeptReport() throws Exception {
        assertThat(Files.readString(Documentation.file(ROOT)))
                .as("lab/demo/demo.md; ./demo docs writes it anew")
                .isEqualTo(Documentation.of(ROOT));
    }

    @Test
    void everyVariantHasBeenMeasured() throws Exception {
        assertThat(Documentation.of(ROOT)).doesNotContain("not measured");
    }

    @Test
    void everyCaseIsDocumented() throws Exception {
        assertThat(Documentation.of(ROOT))
                .contains(Catalogue.CASES.stream().map(DemoCase::shows).toList())
                .contains(Catalogue.CASES.stream().map(DemoCase::comparison).toList());
    }
}
