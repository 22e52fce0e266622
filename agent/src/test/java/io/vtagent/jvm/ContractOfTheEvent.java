package io.vtagent.jvm;

import io.vtagent.jfr.PinEvent;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import jdk.jfr.Name;

/** The events in a flight recording, and the JVM's answers to a client that attaches. */
public final class ContractOfTheEvent {
    private ContractOfTheEvent() {}

    public static Stream<String> lines() {
        String name = PinEvent.class.getAnnotation(Name.class).value();
        Stream<String> fields =
                Stream.of(PinEvent.class.getDeclaredFields())
                        .filter(
                                field ->
                                        !field.isSynthetic()
                                                && !Modifier.isStatic(field.getModifiers()))
                        .map(
                                field ->
                                        "event %s has %s, %s"
                                                .formatted(
                                                        name,
                                                        field.getName(),
                                                        field.getType().getName()));
        Stream<String> properties =
                Stream.of(AgentProperties.ENDPOINT, AgentProperties.ANSWER)
                        .map("agent property "::concat);
        return Stream.concat(fields, properties);
    }
}
