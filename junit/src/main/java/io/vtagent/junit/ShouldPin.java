package io.vtagent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The test pins, and is known to: it fails when that has been mended. On a class it holds for each test of it, also in nested classes, that has
 * no such annotation of its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(PinExtension.class)
public @interface ShouldPin {
    /** The fewest pins that are expected. */
    int atLeast() default 1;

    /** The most pins that are expected. */
    int atMost() default Integer.MAX_VALUE;

    /** Whether the cause is a monitor: where monitors do not pin, from JDK 24 on, none is expected. */
    boolean byMonitor() default false;

    /** The kinds that count; all, if there are none. {@code IO}, {@code NATIVE}, {@code CLASS_INIT} and {@code JVM} that are named count in full. */
    PinKind[] kinds() default {};

    /** What is known and does not count: prefixes of holders or callers, as failures print them. */
    String[] ignore() default {};

    /** Whether those count as well that are {@link Pin#incidental}: classes that are loaded, and the JDK's own file I/O, as docs/testing.md says. */
    boolean strict() default false;
}
