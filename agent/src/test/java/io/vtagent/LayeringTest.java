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

/** A pin flows in one direction: probe, hook, ledger, then metrics and report, then exporters. */
class LayeringTest {
    private static final JavaClasses AGENT =
            new ClassFileImporter()
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
                .layer("instrument")
                .definedBy("io.vtagent.instrument")
                .layer("hotspot")
                .definedBy("io.vtagent.hotspot")
                .layer("jvm")
                .definedBy("io.vtagent.jvm")
                .layer("site")
                .definedBy("io.vtagent.site")
                .layer("scheduler")
                .definedBy("io.vtagent.scheduler")
                .layer("kernel")
                .definedBy("io.vtagent.kernel")
                .layer("jfr")
                .definedBy("io.vtagent.jfr")
                .layer("pin")
                .definedBy("io.vtagent.pin")
                .layer("hook")
                .definedBy("io.vtagent.hook")
                .layer("ledger")
                .definedBy("io.vtagent.ledger")
                .layer("usage")
                .definedBy("io.vtagent.usage")
                .layer("sampler")
                .definedBy("io.vtagent.sampler")
                .layer("diagnosis")
                .definedBy("io.vtagent.diagnosis")
                .layer("relief")
                .definedBy("io.vtagent.relief")
                .layer("metrics")
                .definedBy("io.vtagent.metrics")
                .layer("report")
                .definedBy("io.vtagent.report")
                .layer("exporter")
                .definedBy("io.vtagent.exporter")
                .layer("options")
                .definedBy("io.vtagent.options")
                .layer("json")
                .definedBy("io.vtagent.json")
                .layer("thread")
                .definedBy("io.vtagent.thread")
                .layer("cli")
                .definedBy("io.vtagent.cli")
                .layer("http")
                .definedBy("io.vtagent.exporter.http")
                .layer("otlp")
                .definedBy("io.vtagent.exporter.otlp")
                .layer("otel")
                .definedBy("io.vtagent.exporter.otel")
                .layer("jmx")
                .definedBy("io.vtagent.exporter.jmx")
                .layer("page")
                .definedBy("io.vtagent.exporter.page")
                .layer("history")
                .definedBy("io.vtagent.exporter.history")
                .layer("bridge")
                .definedBy("io.vtagent.exporter.bridge")
                .layer("log")
                .definedBy("io.vtagent.log", "io.vtagent.log.nowhere")
                .whereLayer("root")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer() // the entry finds it by its name
                .whereLayer("exporter")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("log")
                .mayNotAccessAnyLayer()
                .whereLayer("probe")
                .mayNotAccessAnyLayer()
                .whereLayer("json")
                .mayNotAccessAnyLayer()
                .whereLayer("thread")
                .mayOnlyAccessLayers("log")
                .whereLayer("options")
                .mayOnlyAccessLayers("log")
                .whereLayer("jvm")
                .mayOnlyAccessLayers("thread", "log")
                .whereLayer("hotspot")
                .mayOnlyAccessLayers("probe", "jvm", "thread", "log")
                .whereLayer("site")
                .mayOnlyAccessLayers("jvm", "thread", "log")
                .whereLayer("scheduler")
                .mayOnlyAccessLayers("jvm", "thread", "log")
                .whereLayer("kernel")
                .mayOnlyAccessLayers("hotspot", "jvm", "thread", "log")
                .whereLayer("jfr")
                .mayOnlyAccessLayers("site", "jvm", "thread", "log")
                .whereLayer("pin")
                .mayOnlyAccessLayers("site")
                .whereLayer("hook")
                .mayOnlyAccessLayers(
                        "pin", "probe", "site", "scheduler", "kernel", "hotspot", "jvm", "thread")
                .whereLayer("ledger")
                .mayOnlyAccessLayers(
                        "hook", "pin", "probe", "site", "scheduler", "jfr", "hotspot", "thread")
                .whereLayer("usage")
                .mayOnlyAccessLayers(
                        "ledger",
                        "hook",
                        "pin",
                        "site",
                        "scheduler",
                        "kernel",
                        "jvm",
                        "thread",
                        "log")
                .whereLayer("diagnosis")
                .mayOnlyAccessLayers(
                        "pin", "site", "scheduler", "kernel", "hotspot", "jvm", "thread", "log")
                .whereLayer("sampler")
                .mayOnlyAccessLayers(
                        "diagnosis",
                        "usage",
                        "ledger",
                        "hook",
                        "pin",
                        "site",
                        "scheduler",
                        "kernel",
                        "jfr",
                        "hotspot",
                        "jvm",
                        "probe",
                        "thread",
                        "log")
                .whereLayer("relief")
                .mayOnlyAccessLayers("diagnosis", "hook", "pin", "scheduler", "log")
                .whereLayer("instrument")
                .mayOnlyAccessLayers(
                        "probe",
                        "ledger",
                        "pin",
                        "site",
                        "scheduler",
                        "hotspot",
                        "jvm",
                        "thread",
                        "log")
                .whereLayer("metrics")
                .mayOnlyAccessLayers(
                        "probe",
                        "usage",
                        "ledger",
                        "pin",
                        "relief",
                        "sampler",
                        "diagnosis",
                        "site",
                        "scheduler",
                        "jvm",
                        "thread",
                        "log")
                .whereLayer("report")
                .mayOnlyAccessLayers("usage", "ledger", "pin", "diagnosis", "site", "json", "log")
                .whereLayer("http")
                .mayOnlyAccessLayers("thread", "log")
                .whereLayer("otlp")
                .mayOnlyAccessLayers("options", "metrics", "http", "thread", "log")
                .whereLayer("otel")
                .mayOnlyAccessLayers("metrics", "pin", "http", "jvm", "thread", "log")
                .whereLayer("bridge")
                .mayOnlyAccessLayers("metrics", "pin", "site", "hotspot", "jvm", "thread", "log")
                .whereLayer("history")
                .mayOnlyAccessLayers("json", "pin", "report", "site", "thread", "log")
                .whereLayer("page")
                .mayOnlyAccessLayers("history", "json", "report", "thread", "log")
                .whereLayer("jmx")
                .mayOnlyAccessLayers(
                        "diagnosis", "json", "ledger", "pin", "report", "site", "thread", "log")
                .whereLayer("cli")
                .mayOnlyAccessLayers(
                        "page",
                        "json",
                        "options",
                        "ledger",
                        "pin",
                        "report",
                        "diagnosis",
                        "site",
                        "jvm",
                        "log")
                .check(AGENT);
    }

    @Test
    void onlyInstrumentAndWhatMakesOneClassUseByteBuddy() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.instrument")
                .and()
                .doNotHaveFullyQualifiedName("io.vtagent.jvm.StackBang")
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
                        "io.vtagent.exporter",
                        "io.vtagent.exporter.bridge",
                        "io.vtagent.exporter.http",
                        "io.vtagent.exporter.otel",
                        "io.vtagent.exporter.otlp")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..")
                .check(AGENT);
    }

    /**
     * Protobuf costs a start some 150 classes, and whatever else opens a connection has to be
     * thought of in docs/security.md.
     */
    @Test
    void onlyOtlpUsesProtobufAndConnectsToOthers() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.vtagent.exporter.otlp", "io.vtagent.cli")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.opentelemetry..",
                        "com.google.protobuf..",
                        "javax.net..",
                        "java.net.http..")
                .orShould()
                .dependOnClassesThat(belongToAnyOf(URLConnection.class, SocketChannel.class))
                .check(AGENT);
    }

    /**
     * The command line runs without the agent: what it would need of the agent at work, it asks for
     * by the endpoint.
     */
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
                        "io.vtagent.pin",
                        "io.vtagent.ledger",
                        "io.vtagent.diagnosis",
                        "io.vtagent.hotspot",
                        "io.vtagent.jvm",
                        "io.vtagent.site",
                        "io.vtagent.exporter.page",
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
    void onlyWhatServesTheProducersUsesTheInternalsOfTheJdk() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.vtagent.hotspot",
                        "io.vtagent.jfr",
                        "io.vtagent.jvm",
                        "io.vtagent.kernel",
                        "io.vtagent.probe",
                        "io.vtagent.scheduler",
                        "io.vtagent.site")
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
                .doNotHaveFullyQualifiedName("io.vtagent.jfr.EventClock")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat(
                        belongToAnyOf(Clock.class, InstantSource.class, Date.class, Calendar.class))
                .orShould()
                .callMethod(Instant.class, "now")
                .check(AGENT);
    }

    /**
     * Nothing of a request can name a file, a class or a command, for nothing there could use the
     * name.
     */
    @Test
    void whatAnswersRequestsReachesNoFileNoProcessAndNoReflection() {
        noClasses()
                .that()
                .resideInAPackage("io.vtagent.exporter.http")
                .and()
                .doNotHaveSimpleName(
                        "MicrometerLog") // stands in for a library's logger once, before any
                // request
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
                .dependOnClassesThat(
                        belongToAnyOf(
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
