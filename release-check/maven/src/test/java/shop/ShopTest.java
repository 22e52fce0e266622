package shop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vtagent.junit.Pins;
import io.vtagent.junit.ShouldNotPin;
import io.vtagent.junit.ShouldPin;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Tests on a JVM where monitors pin. */
class ShopTest {
    @Test
    @ShouldPin
    void worksInAMonitor(Pins pins) throws Exception {
        Shop.main(new String[0]);
        assertTrue(pins.stream().anyMatch(pin -> pin.holder().startsWith("shop.Shop.work:")), pins.toString());
    }

    @Test
    @ShouldNotPin
    void parks() throws Exception {
        Thread.ofVirtual().start(() -> LockSupport.parkNanos(1_000_000)).join();
    }
}
