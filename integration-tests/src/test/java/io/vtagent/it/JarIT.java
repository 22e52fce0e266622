package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar itself: what is in it can meet the same in an application. */
final class JarIT {
    private static final long BUDGET_BYTES = 6 << 20;
    private static final Set<String> ALLOWED =
            Set.of(
                    "META-INF/MANIFEST.MF",
                    "META-INF/LICENSE",
                    "META-INF/NOTICE",
                    "java/lang/VtAgentProbe.class");
    private static final String OWN = "io/vtagent/";
    private static final String SHADED = OWN + "shaded/";

    /** By the package it was moved to, how the notice begins to speak of it. */
    private static final Map<String, String> NAMES =
            Map.ofEntries(
                    Map.entry("bytebuddy", "Byte Buddy (net.bytebuddy), Apache License 2.0"),
                    Map.entry("micrometer", "Micrometer (io.micrometer), Apache License 2.0"),
                    Map.entry(
                            "prometheus",
                            "Prometheus Java client (io.prometheus), Apache License 2.0"),
                    Map.entry(
                            "opentelemetry",
                            "OpenTelemetry protocol (io.opentelemetry.proto), Apache License 2.0"),
                    Map.entry(
                            "protobuf",
                            "Protocol Buffers (com.google.protobuf), whose licence is below"),
                    Map.entry("gson", "Gson (com.google.code.gson), Apache License 2.0"),
                    Map.entry(
                            "httpcore",
                            "Apache HttpComponents Core HTTP/1.1 (org.apache.hc.core5), Apache"
                                    + " License 2.0"),
                    Map.entry("picocli", "picocli (info.picocli), Apache License 2.0"),
                    Map.entry("jline", "JLine (org.jline), whose licence is below"),
                    Map.entry("hdrhistogram", "HdrHistogram (org.HdrHistogram), written by"),
                    Map.entry("jspecify", "JSpecify (org.jspecify), Apache License 2.0"));

    private static final Set<String> GROUPS =
            Set.of(
                    "net.bytebuddy",
                    "io.micrometer",
                    "io.prometheus",
                    "io.opentelemetry.proto",
                    "com.google.protobuf",
                    "org.apache.httpcomponents.core5",
                    "com.google.code.gson",
                    "org.webjars.npm", // Chart.js
                    "info.picocli",
                    "org.jline",
                    "org.hdrhistogram",
                    "org.jspecify");
    private static final int CLASS_FILE_VERSION_OF_JAVA_8 = 52;

    @Test
    void theExtensionOfOpenTelemetryHasTheSameAndAPackageOfItsOwn() throws IOException {
        try (JarFile agent = new JarFile(ForkedJvm.agentJar().toFile());
                JarFile extension = new JarFile(OtelExtensionIT.extension().toFile())) {
            Set<String> own =
                    extension.stream()
                            .filter(entry -> !entry.isDirectory())
                            .map(ZipEntry::getName)
                            .collect(Collectors.toSet());
            assertThat(agent.stream().map(ZipEntry::getName).filter(name -> !name.endsWith("/")))
                    .allMatch(own::remove);
            assertThat(own)
                    .isNotEmpty()
                    .allMatch(
                            name ->
                                    name.startsWith(OWN + "otel/")
                                            || name.startsWith("META-INF/services/"));
            assertThat(extension.getManifest().getMainAttributes())
                    .isEqualTo(agent.getManifest().getMainAttributes());
        }
    }

    @Test
    void holdsItsOwnClassesAndNothingElse() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            assertThat(jar.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName))
                    .allMatch(name -> name.startsWith(OWN) || ALLOWED.contains(name))
                    .contains("META-INF/LICENSE", "META-INF/NOTICE", "io/vtagent/VtAgent.class")
                    .contains("java/lang/VtAgentProbe.class")
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void isSmall() throws IOException {
        assertThat(Files.size(ForkedJvm.agentJar())).isLessThanOrEqualTo(BUDGET_BYTES);
    }

    @Test
    void canBeLoadedBeforeMainAndIntoAJvmThatRunsAndMayChangeClasses() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue("Main-Class")).isEqualTo("io.vtagent.VtAgent");
            assertThat(manifest.getValue("Premain-Class")).isEqualTo("io.vtagent.VtAgent");
            assertThat(manifest.getValue("Agent-Class")).isEqualTo("io.vtagent.VtAgent");
            assertThat(manifest.getValue("Can-Retransform-Classes")).isEqualTo("true");
        }
    }

    @Test
    void asksForNoMoreThanItUses() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            assertThat(jar.getManifest().getMainAttributes().keySet())
                    .extracting(Object::toString)
                    .containsExactlyInAnyOrder(
                            "Manifest-Version",
                            "Created-By",
                            "Build-Jdk-Spec",
                            "Build-Tool-Jdk-Spec",
                            "Main-Class",
                            "Premain-Class",
                            "Agent-Class",
                            "Can-Retransform-Classes",
                            // for the command line alone: an agent has no such rights by its
                            // manifest
                            "Add-Exports",
                            "Add-Opens",
                            "Implementation-Title",
                            "Implementation-Version");
        }
    }

    @Test
    void doesNotContainWhenAndWhereItWasBuilt() throws IOException {
        byte[] folder =
                Path.of(System.getProperty("it.root", ".."))
                        .toRealPath()
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            // the classes of libraries keep the time that their jars give them
            assertThat(
                            jar.stream()
                                    .filter(
                                            entry ->
                                                    entry.getName().endsWith(".class")
                                                            && !entry.getName().startsWith(SHADED))
                                    .map(ZipEntry::getTimeLocal)
                                    .distinct())
                    .hasSize(1);
            for (ZipEntry entry : jar.stream().toList()) {
                assertThat(bytes(jar, entry))
                        .as(entry.getName())
                        .satisfies(
                                bytes ->
                                        assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
                                                .doesNotContain(
                                                        new String(
                                                                folder,
                                                                StandardCharsets.ISO_8859_1)));
            }
        }
    }

    /** To bring up logging is the application's; of the other, JDK 24 and later print a warning. */
    @Test
    void nothingInItUsesTheJdksLoggingOrItsUnsafeMemory() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            for (ZipEntry entry : jar.stream().toList()) {
                assertThat(new String(bytes(jar, entry), StandardCharsets.ISO_8859_1))
                        .as(entry.getName())
                        .doesNotContain("java/util/logging/", "sun/misc/Unsafe");
            }
        }
    }

    @Test
    void itsNoticeNamesEveryLibraryInIt() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            Set<String> libraries =
                    jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.startsWith(SHADED) && name.endsWith(".class"))
                            .map(
                                    name ->
                                            name.substring(
                                                    SHADED.length(),
                                                    name.indexOf('/', SHADED.length())))
                            .collect(Collectors.toSet());
            String notice =
                    new String(bytes(jar, jar.getEntry("META-INF/NOTICE")), StandardCharsets.UTF_8);

            assertThat(libraries)
                    .isSubsetOf(NAMES.keySet())
                    .contains("bytebuddy", "micrometer", "prometheus", "httpcore", "gson");
            assertThat(jar.getEntry("io/vtagent/exporter/page/chart.umd.min.js")).isNotNull();
            assertThat(notice)
                    .contains("Chart.js (", "@kurkle/color (", "the MIT License")
                    .contains(libraries.stream().map(NAMES::get).toList())
                    .contains("ASM: a very small and fast Java bytecode manipulation framework")
                    .contains("Neither the name of JLine nor the names of its contributors")
                    .contains("Neither the name of Google Inc. nor the names of its");
            assertThat(
                            new String(
                                    bytes(jar, jar.getEntry("META-INF/LICENSE")),
                                    StandardCharsets.UTF_8))
                    .contains(
                            "Apache License",
                            "Version 2.0, January 2004",
                            "END OF TERMS AND CONDITIONS");
        }
    }

    @Test
    void itsBillOfMaterialsListsEveryLibraryInIt() throws IOException {
        Path file = ForkedJvm.agentJar().resolveSibling("vt-agent.cdx.json");
        assertThat(file).as("made by the build, but not with -o").isRegularFile();
        Json bill = Json.parse(Files.readString(file));

        assertThat(bill.get("bomFormat").string()).isEqualTo("CycloneDX");
        assertThat(bill.get("components").list())
                .extracting(component -> component.get("group").string())
                .containsAll(GROUPS);
        assertThat(bill.get("components").list())
                .allSatisfy(component -> assertThat(component.get("licenses").list()).isNotEmpty());
    }

    @Test
    void itsEntryCanBeLoadedByAnyJvm() throws IOException {
        try (JarFile jar = new JarFile(ForkedJvm.agentJar().toFile())) {
            byte[] entry = bytes(jar, jar.getEntry("io/vtagent/VtAgent.class"));
            assertThat((entry[6] & 0xFF) << 8 | (entry[7] & 0xFF))
                    .isEqualTo(CLASS_FILE_VERSION_OF_JAVA_8);
        }
    }

    private static byte[] bytes(JarFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}
