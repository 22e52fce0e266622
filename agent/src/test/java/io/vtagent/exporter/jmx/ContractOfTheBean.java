package io.vtagent.exporter.jmx;

import java.lang.reflect.Proxy;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;

/** The MXBean in the view of its clients: by names and open types. */
public final class ContractOfTheBean {
    private ContractOfTheBean() {}

    public static Stream<String> lines() {
        MBeanInfo bean = info();
        Stream<String> attributes =
                Stream.of(bean.getAttributes())
                        .flatMap(
                                attribute ->
                                        attribute(
                                                attribute.getName(),
                                                (OpenType<?>)
                                                        attribute
                                                                .getDescriptor()
                                                                .getFieldValue("openType")));
        Stream<String> operations =
                Stream.of(bean.getOperations())
                        .map(
                                operation ->
                                        "MXBean operation %s(%s) gives %s"
                                                .formatted(
                                                        operation.getName(),
                                                        Stream.of(operation.getSignature())
                                                                .map(MBeanParameterInfo::getType)
                                                                .collect(Collectors.joining(",")),
                                                        operation.getReturnType()));
        return Stream.of(Stream.of("MXBean " + Registration.NAME), attributes, operations)
                .flatMap(lines -> lines);
    }

    private static Stream<String> attribute(String name, OpenType<?> type) {
        if (type instanceof ArrayType<?> array
                && array.getElementOpenType() instanceof CompositeType items) {
            return items.keySet().stream()
                    .map(
                            item ->
                                    "MXBean attribute %s[].%s is %s"
                                            .formatted(
                                                    name, item, items.getType(item).getTypeName()));
        }
        return Stream.of("MXBean attribute %s is %s".formatted(name, type.getTypeName()));
    }

    private static MBeanInfo info() {
        VtAgentMXBean nobody =
                (VtAgentMXBean)
                        Proxy.newProxyInstance(
                                VtAgentMXBean.class.getClassLoader(),
                                new Class<?>[] {VtAgentMXBean.class},
                                (proxy, method, arguments) -> {
                                    throw new UnsupportedOperationException(method.getName());
                                });
        return new StandardMBean(nobody, VtAgentMXBean.class, true).getMBeanInfo();
    }
}
