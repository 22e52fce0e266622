package io.vtagent.exporter.jmx;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The description of an attribute or an operation, which JConsole shows. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface MBeanDescription {
    String value();
}
