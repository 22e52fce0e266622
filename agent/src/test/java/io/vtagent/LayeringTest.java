package io.vtagent;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.ObjectInputStream;
import java.io.RandomAccessFile;
import java.net.URL;
import java.net.URLConnection;
import java.nio.channels.SocketChannel;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Calendar;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** The flow of a pin has one direction: probe, record, then metrics and report, then history, page and export, then outlet. */
class LayeringTest {
    private static final JavaClasses AGENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.vtagent");

    @Test
    void eachPackageUsesOnlyThoseThatTheDesignAllows() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.vtagent..")
                .layer("root")
                .definedBy("io.vtagent")
                .layer("probe")
                .definedBy("io.vtagent.probe")
                .layer("options")
                .definedBy("io.vtagent.options")
                .layer("instrument")
                .definedBy("io.vtagent.instrument")
                .layer("vm")
                .definedBy("io.vtagent.vm")
                .layer("record")
                .definedBy("io.vtagent.record")
                .layer("watch")
                .definedBy("io.vtagent.watch")
                .layer("relief")
                .definedBy("io.vtagent.relief")
                .layer("metrics")
                .definedBy("io.vtagent.metrics")
                .layer("bridge")
                .definedBy("io.vtagent.bridge")
                .layer("export")
                .definedBy("io.vtagent.export")
                .layer("otlp")
                .definedBy("io.vtagent.otlp")
                .layer("report")
                .definedBy("io.vtagent.report")
                .layer("json")
                .definedBy("io.vtagent.json")
                .layer("history")
                .definedBy("io.vtagent.history")
                .layer("page")
                .definedBy("io.vtagent.page")
                .layer("outlet")
                .definedBy("io.vtagent.outlet")
                .layer("jmx")
                .definedBy("io.vtagent.jmx")
                .layer("cli")
                .definedBy("io.vtagent.cli")
                .layer("thread")
                .definedBy("io.vtagent.thread")
                .layer("log")
                .definedBy("io.vtagent.log", "io.vtagent.log.nowhere")
                .whereLayer("root")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer() // the entry finds it by its name
                .whereLayer("options")
                .mayOnlyBeAccessedByLayers("root", "otlp", "outlet", "cli")
                .whereLayer("instrument")
                .mayOnlyBeAccessedByLayers("root", "outlet")
                .whereLayer("probe")
                .mayOnlyBeAccessedByLayers("root", "instrument", "record")
                .whereLayer("vm")
                .mayOnlyBeAccessedByLayers(
                        "root",
                        "instrument",
                        "record",
                        "report",
                        "watch",
                        "relief",
                        "metrics",
                        "bridge",
                        "outlet",
                        "jmx",
                        "cli")
                .whereLayer("record")
                .mayOnlyBeAccessedByLayers(
                        "root",
                        "instrument",
                        "metrics",
                        "report",
                        "watch",
                        "relief",
                        "history",
                        "bridge",
                        "outlet",
                        "jmx",
                        "cli")
                .whereLayer("watch")
                .mayOnlyBeAccessedByLayers("root", "metrics", "report", "outlet", "jmx", "cli")
                .whereLayer("relief")
                .mayOnlyBeAccessedByLayers("root", "metrics", "outlet")
                .whereLayer("metrics")
                .mayOnlyBeAccessedByLayers("bridge", "otlp", "outlet")
                .whereLayer("bridge")
                .mayOnlyBeAccessedByLayers("outlet")
                .whereLayer("bridge")
                .mayOnlyAccessLayers("metrics", "record", "vm", "log", "thread")
                .whereLayer("report")
                .mayOnlyBeAccessedByLayers("history", "page", "outlet", "jmx", "cli")
                .whereLayer("export")
                .mayOnlyBeAccessedByLayers("otlp", "outlet")
                .whereLayer("otlp")
                .mayOnlyBeAccessedByLayers("outlet")
                .whereLayer("json")
                .mayOnlyBeAccessedByLayers("report", "history", "page", "outlet", "jmx", "cli")
                .whereLayer("jmx")
                .mayOnlyBeAccessedByLayers("outlet")
                .whereLayer("history")
                .mayOnlyBeAccessedByLayers("page", "outlet")
                .whereLayer("page")
                .mayOnlyBeAccessedByLayers("outlet", "cli")
                .whereLayer("outlet")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("export")
                .mayOnlyAccessLayers("thread", "log")
                .whereLayer("otlp")
                .mayOnlyAccessLayers("options", "metrics", "export", "thread", "log")
                .whereLayer("json")
                .mayNotAccessAnyLayer()
                .whereLayer("vm")
                .mayOnlyAccessLayers("thread", "log")
                .whereLayer("thread")
                .mayOnlyAccessLayers("log")
                .whereLayer("probe")
                .mayNotAccessAnyLayer()
                .whereLayer("log")
                .mayNotAccessAnyLayer()
                .check(AGENT);
    }

    @Test
    void onlyInstrumentAndWhatMakesOneClassUseByteBuddy() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.instrument")
                .and()
                .doNotHaveFullyQualifiedName("io.vtagent.vm.WideFrame")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("net.bytebuddy..")
                .check(AGENT);
    }

    @Test
    void onlyMetricsAndItsWaysOutAndWhatPutsThemTogetherUseMicrometer() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.vtagent.metrics",
                        "io.vtagent.bridge",
                        "io.vtagent.export",
                        "io.vtagent.otlp",
                        "io.vtagent.outlet")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..")
                .check(AGENT);
    }

    /** Protobuf costs a start some 150 classes, and whatever else opens a connection has to be thought of in docs/security.md. */
    @Test
    void onlyOtlpUsesProtobufAndConnectsToOthers() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.vtagent.otlp", "io.vtagent.cli")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.opentelemetry..", "com.google.protobuf..", "javax.net..", "java.net.http..")
                .orShould()
                .dependOnClassesThat(belongToAnyOf(URLConnection.class, SocketChannel.class))
                .check(AGENT);
    }

    /** The command line runs without the agent: what it would need of the agent at work, it asks for by the endpoint. */
    @Test
    void theCommandLineUsesNothingOfTheAgentButItsReports() {
        classes()
                .that()
                .resideInAPackage("io.vtagent.cli")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.vtagent.cli",
                        "io.vtagent.report",
                        "io.vtagent.record",
                        "io.vtagent.watch",
                        "io.vtagent.vm",
                        "io.vtagent.page",
                        "io.vtagent.json",
                        "io.vtagent.log",
                        "io.vtagent.options",
                        "java..",
                        "com.sun.tools.attach",
                        "picocli",
                        "org.jline..",
                        "org.jspecify.annotations")
                .check(AGENT);
    }

    @Test
    void onlyTheCommandLineUsesTheLibrariesOfTheCommandLine() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.cli")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "org.jline..", "com.sun.tools.attach")
                .check(AGENT);
    }

    @Test
    void onlyJsonUsesGson() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.json")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.google.gson..")
                .check(AGENT);
    }

    @Test
    void onlyVmAndProbeUseTheInternalsOfTheJdk() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.vtagent.vm", "io.vtagent.probe")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jdk.internal..", "sun..")
                .check(AGENT);
    }

    /** Somebody may set the clock, also back. */
    @Test
    void onlyTheClockOfTheJvmsEventsAsksForTheTimeOfDay() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("io.vtagent.vm.EventClock")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat(belongToAnyOf(Clock.class, InstantSource.class, Date.class, Calendar.class))
                .orShould()
                .callMethod(Instant.class, "now")
                .check(AGENT);
    }

    /** Nothing of a request can name a file, a class or a command, for nothing there could use the name. */
    @Test
    void whatAnswersRequestsReachesNoFileNoProcessAndNoReflection() {
        noClasses()
                .that()
                .resideInAPackage("io.vtagent.export")
                .and()
                .doNotHaveSimpleName("MicrometerLog") // stands in for a library's logger once, before any request
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.lang.reflect..",
                        "java.lang.invoke..",
                        "java.nio.file..",
                        "javax.script..",
                        "javax.naming..",
                        "javax.management..")
                .orShould()
                .dependOnClassesThat(belongToAnyOf(
                        Runtime.class,
                        Process.class,
                        ProcessBuilder.class,
                        ClassLoader.class,
                        File.class,
                        FileInputStream.class,
                        FileOutputStream.class,
                        FileReader.class,
                        FileWriter.class,
                        RandomAccessFile.class,
                        ObjectInputStream.class,
                        URL.class))
                .orShould()
                .callMethod(Class.class, "forName", String.class)
                .check(AGENT);
    }

    @Test
    void instrumentedCodeReachesNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.vtagent.probe")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.vtagent.probe",
                        "java..",
                        "jdk.internal.misc",
                        "jdk.internal.vm.annotation",
                        "org.jspecify.annotations")
                .check(AGENT);
    }
}
