package io.vtagent.instrument;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What was installed.
 *
 * @param carriers whether virtual threads share carriers in this JVM; if not there is nothing to measure
 * @param monitorsPin whether a virtual thread that holds a monitor cannot unmount in this JVM
 * @param attached whether the application ran already, so that no class loses a modifier: the JVM's events tell of {@code synchronized}
 *     methods
 * @param sensors those that this JVM has a use for, each with the reason why it does not work, or that {@link SelfTest} is yet to
 *     prove it
 * @param isWrapped whether the monitors of the class of that name were wrapped
 * @param classesTransformed how many classes of the application have been wrapped so far
 * @param classesFailed how many could not be
 * @param micrometer the classes {@code Metrics} of the Micrometer that the application brings, those that are new whenever it is asked
 */
public record Installation(
        boolean carriers,
        boolean monitorsPin,
        boolean attached,
        Map<Sensor, String> sensors,
        Predicate<String> isWrapped,
        LongSupplier classesTransformed,
        LongSupplier classesFailed,
        Supplier<List<Class<?>>> micrometer) {}
