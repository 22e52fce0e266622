package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.ActivePin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.watch.DiagnosisBuilder.Patient;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Stacks of their own for threads that never ran, but for the platform threads of this JVM. */
class InitializersTest {
    private static final StackTraceElement NEEDS = new StackTraceElement("shop.Cart", "load", "Cart.java", 7);
    private static final StackTraceElement NATIVE = new StackTraceElement("shop.Db", "read", "Db.java", -2);
    private static final StackTraceElement CART = new StackTraceElement("shop.Cart", "<clinit>", "Cart.java", 3);
    private static final StackTraceElement DB = new StackTraceElement("shop.Db", "<clinit>", "Db.java", 5);

    private static final StackTraceElement FOR_NAME =
            new StackTraceElement("java.lang.Class", "forName0", "Class.java", -2);

    private static volatile boolean released;

    private static final class Cart {}

    private static final class Db {}

    private static final class Parking {
        static {
            while (!released) {
                LockSupport.park();
            }
        }

        static void initialize() {}
    }

    @Test
    void initializersThatWaitForEachOtherAreADeadlock() {
        Patient cart = patient("cart", true, NEEDS, CART);
        Patient db = patient("db", true, DB, CART);
        Initializers found = new Initializers(List.of(cart, db, patient("other", true, NEEDS)));

        assertThat(found.sentence())
                .isEqualTo("Deadlock, most likely, of class initializers: 3 of 3 carriers are held by threads that wait"
                        + " as for a class that another one initializes. `cart` initializes `shop.Cart` and waits so"
                        + " itself, at `shop.Cart.load(Cart.java:7)`, `db` initializes `shop.Db` and waits so itself, at"
                        + " `shop.Db.<clinit>(Db.java:5)`.");
        assertThat(found.deadlock())
                .containsExactly(
                        new Waits.Link(
                                Who.of(cart.thread()),
                                "the initializer of shop.Cart",
                                "that of another class, at shop.Cart.load(Cart.java:7)"),
                        new Waits.Link(
                                Who.of(db.thread()),
                                "the initializer of shop.Db",
                                "that of another class, at shop.Db.<clinit>(Db.java:5)"));
    }

    @Test
    void whereItIsKnownWhatTheyWaitForThatIsSaid() {
        Patient cart = waitingFor(Db.class, "cart", classFrame(Cart.class));
        Patient db = waitingFor(Cart.class, "db", FOR_NAME, classFrame(Db.class));
        Initializers found = new Initializers(List.of(cart, db));

        assertThat(found.sentence())
                .isEqualTo(
                        "Deadlock of class initializers: 2 of 2 carriers are held by threads that wait as for a class"
                                + " that another one initializes. `cart` initializes `" + Cart.class.getName()
                                + "` and waits for `" + Db.class.getName() + "`, at `" + classFrame(Cart.class)
                                + "`, `db` initializes `" + Db.class.getName() + "` and waits for `"
                                + Cart.class.getName()
                                + "`, at `" + FOR_NAME + "`.");
        assertThat(found.deadlock())
                .extracting(Waits.Link::waitsFor)
                .containsExactly(
                        "that of " + Db.class.getName() + ", at " + classFrame(Cart.class),
                        "that of " + Cart.class.getName() + ", at " + FOR_NAME);
    }

    @Test
    void ifOneOfThemMayWaitForAThirdClassADeadlockIsOnlyLikely() {
        Patient cart = waitingFor(Db.class, "cart", classFrame(Cart.class));
        Patient db = waitingFor(Parking.class, "db", classFrame(Db.class));

        assertThat(new Initializers(List.of(cart, db)).sentence())
                .startsWith("Deadlock, most likely, of class initializers: ");
    }

    @Test
    void oneThatGoesOnOrMayIsNone() {
        for (Patient other : List.of(
                patient("db", false, DB), // parked, for instance
                patient("db", true, NATIVE, DB),
                patient("db", true, NEEDS))) {
            Initializers found = new Initializers(List.of(patient("cart", true, NEEDS, CART), other));
            assertThat(found.deadlock()).isEmpty();
            assertThat(found.sentence())
                    .contains(
                            " of 2 carriers are held by threads that wait as for a class that another one initializes."
                                    + " `cart` initializes `shop.Cart` and waits so itself")
                    .doesNotContain("Deadlock");
        }
    }

    @Test
    void whoInitializesAClassAndIsElsewhereIsNamed() {
        assertThat(new Initializers(List.of(patient("cart", false, NATIVE, CART), patient("other", true, NEEDS)))
                        .sentence())
                .isEqualTo("1 of 2 carriers are held by threads that wait as for a class that another one initializes."
                        + " `cart` initializes `shop.Cart` and is at `shop.Db.read(Native Method)`.");
    }

    @Test
    void aPlatformThreadMayBeTheOneThatOthersWaitFor() throws InterruptedException {
        Thread initializing = new Thread(Parking::initialize, "initializing");
        initializing.start();
        while (initializing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        Initializers found =
                new Initializers(List.of(patient("cart", true, NEEDS, CART), patient("db", true, NEEDS, DB)));
        released = true;
        LockSupport.unpark(initializing);
        initializing.join();

        assertThat(found.deadlock()).as("it may end").isEmpty();
        assertThat(found.sentence())
                .contains("`initializing` initializes `" + Parking.class.getName()
                        + "` and is at `java.base/jdk.internal");
    }

    @Test
    void whereNobodyWaitsOrInitializesThereIsNothingToSay() {
        assertThat(new Initializers(List.of(patient("cart", false, NEEDS, CART))).sentence())
                .isNull();
        assertThat(new Initializers(List.of(patient("other", true, NEEDS))).sentence())
                .isNull();
        assertThat(new Initializers(List.of(patient("none", true))).sentence()).isNull();
    }

    @Test
    void aThreadOnItsWayFromOrToItsCarrierWaitsForNoClass() {
        StackTraceElement transition =
                new StackTraceElement("java.lang.VirtualThread", "notifyJvmtiUnmount", "VirtualThread.java", 9);
        assertThat(patient("moving", true, transition, CART).isInJvm()).isFalse();
        assertThat(patient("waiting", true, NEEDS, CART).isInJvm()).isTrue();
    }

    private static StackTraceElement classFrame(Class<?> initialized) {
        return new StackTraceElement(initialized.getName(), "<clinit>", "Shop.java", 3);
    }

    private static Patient waitingFor(Class<?> awaited, String name, StackTraceElement... frames) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> {});
        Thread carrier = Thread.currentThread();
        ActivePin pin =
                new ActivePin(PinKind.CLASS_INIT, PinReason.CLASS_INIT, 1, thread, carrier, false, null, awaited);
        return new Patient(carrier, thread, pin, List.of(frames), true, null);
    }

    private static Patient patient(String name, boolean runnable, StackTraceElement... frames) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> {});
        return new Patient(Thread.currentThread(), thread, null, List.of(frames), runnable, null);
    }
}
