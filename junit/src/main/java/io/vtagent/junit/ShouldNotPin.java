package io.vtagent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * No virtual thread may hold its carrier during the test. On a class it holds for each test of it, also in nested classes, that has no such
 * annotation of its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(PinExtension.class)
public @interface ShouldNotPin {
    /** The kinds that count; all, if there are none. {@code IO}, {@code NATIVE}, {@code CLASS_INIT} and {@code JVM} that are named count in full. */
    PinKind[] kinds() default {};

    /** What is known and accepted: prefixes of holders or callers, as failures print them, such as {@code org.postgresql.}. */
    String[] ignore() default {};

    /** Whether those count as well that are {@link Pin#incidental}: classes that are loaded, and the JDK's own file I/O, as docs/testing.md says. */
    boolean strict() default false;
}
