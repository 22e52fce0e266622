package io.vtagent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The flow of a pin has one direction: probe, record, then metrics and report, then export. */
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
                .layer("export")
                .definedBy("io.vtagent.export")
                .layer("report")
                .definedBy("io.vtagent.report")
                .layer("log")
                .definedBy("io.vtagent.log")
                .whereLayer("root")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("options")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("instrument")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("probe")
                .mayOnlyBeAccessedByLayers("root", "instrument", "record")
                .whereLayer("vm")
                .mayOnlyBeAccessedByLayers("root", "instrument", "record", "report", "watch", "relief", "metrics")
                .whereLayer("record")
                .mayOnlyBeAccessedByLayers("root", "instrument", "metrics", "report", "watch", "relief")
                .whereLayer("watch")
                .mayOnlyBeAccessedByLayers("root", "metrics", "report")
                .whereLayer("relief")
                .mayOnlyBeAccessedByLayers("root", "metrics")
                .whereLayer("metrics")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("report")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("export")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("vm")
                .mayNotAccessAnyLayer()
                .whereLayer("probe")
                .mayNotAccessAnyLayer()
                .whereLayer("log")
                .mayNotAccessAnyLayer()
                .check(AGENT);
    }

    @Test
    void onlyInstrumentUsesByteBuddy() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.instrument")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("net.bytebuddy..")
                .check(AGENT);
    }

    @Test
    void onlyMetricsAndExportAndTheRootUseMicrometer() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.vtagent.metrics", "io.vtagent.export", "io.vtagent")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.micrometer..", "io.prometheus..")
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

    @Test
    void instrumentedCodeReachesNothingButTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.vtagent.probe")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.vtagent.probe", "java..", "jdk.internal.misc", "org.jspecify.annotations")
                .check(AGENT);
    }
}
