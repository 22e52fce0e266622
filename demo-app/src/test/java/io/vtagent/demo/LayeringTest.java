package io.vtagent.demo;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The layers of the demo: the launcher depends on the catalogue, that on the cases, and each case
 * on what they share; nothing depends on a layer above its own.
 */
class LayeringTest {
    private static final JavaClasses DEMO =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.vtagent.demo");

    private static final List<String> CASES =
            Catalogue.CASES.stream().map(demoCase -> demoCase.getClass().getPackageName()).toList();

    @Test
    void eachPackageUsesOnlyThoseBelowIt() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.vtagent..")
                .ensureAllClassesAreContainedInArchitecture()
                .layer("launcher")
                .definedBy("io.vtagent.demo.launch")
                .layer("catalogue")
                .definedBy("io.vtagent.demo")
                .layer("cases")
                .definedBy(CASES.toArray(String[]::new))
                .layer("workload")
                .definedBy("io.vtagent.demo.workload")
                .layer("model")
                .definedBy("io.vtagent.demo.model")
                .layer("text")
                .definedBy("io.vtagent.demo.text")
                .whereLayer("launcher")
                .mayOnlyAccessLayers("catalogue", "model", "text")
                .whereLayer("catalogue")
                .mayOnlyAccessLayers("cases", "model")
                .whereLayer("cases")
                .mayOnlyAccessLayers("workload", "model")
                .whereLayer("workload")
                .mayOnlyAccessLayers("model")
                .whereLayer("model")
                .mayOnlyAccessLayers("text")
                .whereLayer("text")
                .mayNotAccessAnyLayer()
                .check(DEMO);
    }

    @Test
    void onlyTextUsesJackson() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.vtagent.demo.text")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(DEMO);
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void noCaseKnowsAnother(String demoCase) {
        noClasses()
                .that()
                .resideInAPackage(demoCase)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        CASES.stream()
                                .filter(other -> !other.equals(demoCase))
                                .toArray(String[]::new))
                .check(DEMO);
    }
}
