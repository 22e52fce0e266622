package io.vtagent.instrument;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The result of installing the sensors.
 *
 * @param carriers whether virtual threads share carriers in this JVM; if not, there is nothing to
 *     measure
 * @param monitorsPin whether a virtual thread that holds a monitor cannot unmount in this JVM
 * @param attached whether the application was already running, so that no class loses a modifier
 *     and {@code synchronized} methods are known only from JFR events
 * @param sensors the sensors that are useful in this JVM, each with the reason why it does not
 *     work, or with the note that {@link SelfTest} has not proved it yet
 * @param isWrapped whether the monitors of the class of that name were wrapped
 * @param classesTransformed the number of classes of the application that have been wrapped so far
 * @param classesFailed the number of classes that could not be wrapped
 * @param micrometer the classes {@code Metrics} of the application's Micrometer; each call returns
 *     only the new ones
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
