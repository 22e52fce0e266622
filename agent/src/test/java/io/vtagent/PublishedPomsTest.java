package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The requirements that a public repository has for a POM, here Maven Central:
 * https://central.sonatype.org/publish/requirements.
 */
class PublishedPomsTest {
    private static final Path ROOT = Path.of("..");

    private final Element parent = pom(ROOT);

    PublishedPomsTest() throws Exception {}

    @Test
    void theParentHasWhatIsTheSameForAllModules() {
        for (String path :
                List.of(
                        "url",
                        "licenses/license/name",
                        "licenses/license/url",
                        "developers/developer/name",
                        "scm/connection",
                        "scm/developerConnection",
                        "scm/url",
                        "issueManagement/url")) {
            assertThat(text(parent, path)).as(path).isNotBlank();
        }
    }

    /** It is not invented: a release asks for the property. */
    @Test
    void theProjectsAddressIsInOnePlace() {
        for (String path :
                List.of(
                        "url",
                        "scm/connection",
                        "scm/developerConnection",
                        "scm/url",
                        "issueManagement/url")) {
            assertThat(text(parent, path)).as(path).contains("${project.home}");
        }
        assertThat(text(parent, "properties/project.home")).startsWith("https://");
    }

    @Test
    void everyModuleThatIsReleasedHasANameAndADescriptionOfItsOwn() throws Exception {
        List<String> released = new ArrayList<>();
        for (Element module : children(child(parent, "modules"))) {
            Element pom = pom(ROOT.resolve(module.getTextContent()));
            if (text(pom, "properties/not.released").equals("true")) {
                continue;
            }
            released.add(text(pom, "artifactId"));
            assertThat(text(pom, "name")).as(module.getTextContent()).isNotBlank();
            assertThat(text(pom, "description")).as(module.getTextContent()).endsWith(".");
        }
        assertThat(released)
                .contains("vt-agent")
                .as("docs/dev/releasing.md names them")
                .allMatch(
                        name ->
                                read(ROOT.resolve("docs/dev/releasing.md"))
                                        .contains("`" + name + "`"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static Element pom(Path module) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(module.resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    /** Nothing where there is none. */
    private static String text(Element element, String path) {
        Element at = element;
        for (String name : path.split("/", -1)) {
            at = child(at, name);
        }
        return at.getTextContent().strip();
    }

    private static Element child(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getTagName().equals(name))
                .findFirst()
                .orElseGet(() -> element.getOwnerDocument().createElement(name));
    }

    private static List<Element> children(Element element) {
        NodeList nodes = element.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .toList();
    }
}
