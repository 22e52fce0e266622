package io.vtagent.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The limits that a test is checked against. They come from the annotations of its method, or else
 * of its class, or else of the enclosing class.
 *
 * @param fewest the least number of pins that is expected
 * @param most the greatest number of pins that is expected
 * @param longest the longest total time; null if only the number of pins counts
 * @param byMonitor whether no pins are expected where monitors do not pin
 * @param accepted prefixes of holders and callers whose pins do not count
 */
record Expectation(
        long fewest,
        long most,
        @Nullable Duration longest,
        boolean byMonitor,
        Set<PinKind> kinds,
        List<String> accepted,
        boolean strict) {

    private static final List<Class<? extends Annotation>> TYPES =
            List.of(ShouldNotPin.class, ShouldPin.class, ShouldHoldAtMost.class);
    private static final Expectation NOTHING =
            new Expectation(0, Long.MAX_VALUE, null, false, Set.of(), List.of(), false);

    /**
     * @throws ExtensionConfigurationException if the class's annotations contradict each other
     */
    static void checkClass(ExtensionContext context) {
        Expectation unused = of(context);
    }

    static Expectation of(ExtensionContext context) {
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.get().getParent()) {
            AnnotatedElement element = at.get().getElement().orElse(null);
            List<Class<? extends Annotation>> types =
                    element == null ? List.of() : nearest(element);
            if (types.size() > 1) {
                throw new ExtensionConfigurationException(
                        element
                                + " has more than one of @ShouldNotPin, @ShouldPin and"
                                + " @ShouldHoldAtMost, expected one");
            }
            if (element != null && !types.isEmpty()) {
                return AnnotationSupport.findAnnotation(element, types.get(0))
                        .map(Expectation::of)
                        .orElse(NOTHING)
                        .accepting(Accepted.ofModule(at.get()));
            }
        }
        return NOTHING;
    }

    /**
     * Returns the annotations of {@code element}. Those that a class declares replace those that it
     * would inherit.
     */
    private static List<Class<? extends Annotation>> nearest(AnnotatedElement element) {
        List<Class<? extends Annotation>> types =
                TYPES.stream()
                        .filter(type -> AnnotationSupport.isAnnotated(element, type))
                        .toList();
        if (types.size() < 2 || !(element instanceof Class<?> of)) {
            return types;
        }
        List<Class<? extends Annotation>> declared =
                types.stream().filter(type -> declares(of, type)).toList();
        return !declared.isEmpty() || of.getSuperclass() == null
                ? declared
                : nearest(of.getSuperclass());
    }

    private static boolean declares(Class<?> of, Class<? extends Annotation> type) {
        return Arrays.stream(of.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(each -> each == type || AnnotationSupport.isAnnotated(each, type));
    }

    private static Expectation of(Annotation annotation) {
        if (annotation instanceof ShouldPin should) {
            return of(should);
        }
        if (annotation instanceof ShouldHoldAtMost should) {
            Duration longest = duration(should.value());
            return of(Long.MAX_VALUE, longest, should.kinds(), should.ignore(), should.strict());
        }
        ShouldNotPin should = (ShouldNotPin) annotation;
        return of(0, null, should.kinds(), should.ignore(), should.strict());
    }

    private static Expectation of(
            long most,
            @Nullable Duration longest,
            PinKind[] kinds,
            String[] ignore,
            boolean strict) {
        return new Expectation(0, most, longest, false, Set.of(kinds), List.of(ignore), strict);
    }

    private static Expectation of(ShouldPin should) {
        if (should.atLeast() < 0 || should.atMost() < should.atLeast()) {
            throw new ExtensionConfigurationException(
                    "@ShouldPin has atLeast = "
                            + should.atLeast()
                            + " and atMost = "
                            + should.atMost()
                            + ", expected 0 <= atLeast <= atMost");
        }
        return new Expectation(
                should.atLeast(),
                should.atMost(),
                null,
                should.byMonitor(),
                Set.of(should.kinds()),
                List.of(should.ignore()),
                should.strict());
    }

    private static Duration duration(String value) {
        try {
            return Amount.parse(value);
        } catch (IllegalArgumentException bad) {
            throw new ExtensionConfigurationException(
                    "@ShouldHoldAtMost: " + bad.getMessage(), bad);
        }
    }

    private Expectation accepting(List<String> more) {
        if (accepted.stream().anyMatch(String::isBlank)) {
            throw new ExtensionConfigurationException(
                    "ignore has an empty prefix, with which everything begins, expected that of a"
                            + " holder or caller");
        }
        List<String> all = new ArrayList<>(accepted);
        all.addAll(more);
        return new Expectation(fewest, most, longest, byMonitor, kinds, all, strict);
    }

    /** Returns how the test fails the expectation; null if it meets it. */
    @Nullable String complaint(MeasuredTest test) {
        if (this == NOTHING) {
            return null;
        }
        Expectation here =
                byMonitor && !test.monitorsPin()
                        ? new Expectation(0, 0, null, false, kinds, accepted, strict)
                        : this;
        List<Pin> counted = here.counted(test.pins());
        if (counted.size() < here.fewest) {
            return "expected at least "
                    + pins(here.fewest)
                    + ", but "
                    + (counted.isEmpty()
                            ? "there was none"
                            : "there were only " + Sites.inWords(counted))
                    + test.inWords(counted);
        }
        return here.tooMuch(counted, test);
    }

    /** Returns this expectation without its lower limit. */
    Expectation ofTooMuch() {
        return this == NOTHING
                ? this
                : new Expectation(0, most, longest, byMonitor, kinds, accepted, strict);
    }

    private @Nullable String tooMuch(List<Pin> counted, MeasuredTest test) {
        Duration held = Pins.held(counted);
        if (longest != null && held.compareTo(longest) > 0) {
            return "expected carriers to be held for "
                    + Amount.of(longest)
                    + " at most, but "
                    + were(counted)
                    + Sites.inWords(counted)
                    + test.inWords(counted);
        }
        return counted.size() <= most
                ? null
                : "expected "
                        + (most == 0 ? "no pins" : "at most " + pins(most))
                        + ", but "
                        + were(counted)
                        + Sites.inWords(counted)
                        + test.inWords(counted);
    }

    private static String were(List<Pin> counted) {
        return counted.size() == 1 ? "there was " : "there were ";
    }

    private static String pins(long number) {
        return number == 1 ? "1 pin" : number + " pins";
    }

    private List<Pin> counted(List<Pin> pins) {
        return pins.stream()
                .filter(pin -> kinds.isEmpty() || kinds.contains(pin.kind()))
                .filter(pin -> strict || pin.incidental().isEmpty() || isNamed(pin))
                .filter(pin -> accepted.stream().noneMatch(pin::isAt))
                .toList();
    }

    /**
     * Returns whether an incidental pin counts because {@code kinds} names its kind. All pins of
     * the kinds {@code CLASS_INIT} and {@code JVM} then count, and those {@code IO} and {@code
     * NATIVE} pins that are operations of the JDK's own.
     */
    private boolean isNamed(Pin pin) {
        boolean byKind =
                pin.incidental().equals(Incidental.JDK)
                        || pin.kind() == PinKind.CLASS_INIT
                        || pin.kind() == PinKind.JVM;
        return byKind && kinds.contains(pin.kind()) && pin.kind() != PinKind.ENTER;
    }
}
