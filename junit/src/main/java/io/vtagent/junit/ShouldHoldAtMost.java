package io.vtagent.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Limits how long the virtual threads of the test may hold their carriers, all pins added up. On a
 * class it applies to each of its tests, including those of nested classes. The nearest annotation
 * counts: one of a method replaces that of its class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@ExtendWith(PinExtension.class)
public @interface ShouldHoldAtMost {
    /**
     * The limit: a number and one of {@code ns}, {@code us}, {@code ms}, {@code s}, such as {@code
     * 5ms}.
     */
    String value();

    /**
     * The kinds that count; all kinds if this is empty. If {@code CLASS_INIT} or {@code JVM} is
     * named, all its pins count. If {@code IO} or {@code NATIVE} is named, its pins in the JDK's
     * own operations count as well.
     */
    PinKind[] kinds() default {};

    /**
     * Prefixes of holders or callers that are known and accepted, in the form that failures print,
     * such as {@code org.postgresql.}.
     */
    String[] ignore() default {};

    /**
     * Whether {@link Pin#incidental} pins count as well, such as those of class loading and of the
     * JDK's own file I/O.
     */
    boolean strict() default false;
}
