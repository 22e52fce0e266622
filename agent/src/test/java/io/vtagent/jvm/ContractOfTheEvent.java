package io.vtagent.jvm;

import io.vtagent.jfr.PinEvent;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import jdk.jfr.Name;

/** What is in a flight recording, and what the JVM tells who attaches. */
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
