package io.vtagent.junit;

import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.IncompleteExecutionException;

/**
 * Watches tests for pins. The annotations register this extension. A test without annotations can
 * be extended with {@code @ExtendWith(PinExtension.class)}: it then may have a parameter of type
 * {@link Pins}, and has no expectation.
 */
public final class PinExtension
        implements BeforeAllCallback, BeforeEachCallback, InvocationInterceptor, ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(PinExtension.class);

    /**
     * Starts the agent before any test, so that no test spends time on it and the agent sees the
     * classes that tests load while they are loaded.
     */
    @Override
    public void beforeAll(ExtensionContext context) {
        Expectation.checkClass(context);
        agent();
    }

    /**
     * Starts the agent if only the method is annotated. This is not left to the test, because
     * attaching would use up some of the time that a {@code @Timeout} gives it.
     */
    @Override
    public void beforeEach(ExtensionContext unused) {
        agent();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // if the extension is registered twice, only one of the two resolves the parameter; a class
        // has no pins, because its tests would share them
        return parameter.getParameter().getType() == Pins.class
                && parameter.getDeclaringExecutable() instanceof Method
                && context.getTestMethod().isPresent()
                && context.getStore(STORE).getOrComputeIfAbsent(PinExtension.class, unused -> this)
                        == this;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .getOrComputeIfAbsent(Newest.class, unused -> new Newest(), Newest.class)
                .pins;
    }

    /** The test whose pins a parameter returns; of dynamic tests, the newest one. */
    private static final class Newest {
        private volatile @Nullable MeasuredTest test;

        private final Pins pins =
                new Pins(
                        () -> {
                            MeasuredTest known = test;
                            return known == null ? List.of() : known.pins();
                        });
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        Object unused = watch(invocation, context, Expectation.of(context));
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        Object unused = watch(invocation, context, Expectation.of(context));
    }

    @Override
    public <T> T interceptTestFactoryMethod(
            Invocation<T> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        return watch(invocation, context, Expectation.of(context).ofTooMuch());
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation,
            DynamicTestInvocationContext dynamicTest,
            ExtensionContext context)
            throws Throwable {
        Object unused = watch(invocation, context, Expectation.of(context));
    }

    /**
     * Returns the agent. Checks for JMX first, because the class of the bean cannot be linked
     * without it.
     */
    private static AgentBean agent() {
        if (ModuleLayer.boot().findModule("java.management").isEmpty()) {
            throw new NoAgentException(
                    "this JVM runs without the module java.management: expected a JDK, or a runtime"
                            + " with java.management");
        }
        return AgentBean.get();
    }

    private static <T> T watch(
            Invocation<T> invocation, ExtensionContext context, Expectation expectation)
            throws Throwable {
        ExtensionContext.Store store = context.getStore(STORE);
        if (store.get(context.getUniqueId()) != null) {
            return invocation.proceed(); // the extension is registered twice
        }
        store.put(context.getUniqueId(), true);
        try (MeasuredTest test = new MeasuredTest(agent(), context)) {
            Newest newest = store.get(Newest.class, Newest.class);
            if (newest != null) {
                newest.test = test;
            }
            T result;
            try {
                result = invocation.proceed();
            } catch (Throwable failure) {
                addTo(failure, expectation, test);
                throw failure;
            }
            test.finish();
            String complaint = expectation.complaint(test);
            if (complaint != null) {
                throw new AssertionFailedError(complaint);
            }
            return result;
        }
    }

    /**
     * Adds excessive pins to {@code failure}, because they may be its cause. Missing pins are not
     * added, because they have no meaning for a test that has failed.
     */
    private static void addTo(Throwable failure, Expectation expectation, MeasuredTest test) {
        if (failure instanceof IncompleteExecutionException) {
            return;
        }
        try {
            test.finish();
        } catch (NoAgentException gone) {
            failure.addSuppressed(gone);
            return;
        }
        String complaint = expectation.ofTooMuch().complaint(test);
        if (complaint != null) {
            failure.addSuppressed(new AssertionFailedError(complaint));
        }
    }
}
