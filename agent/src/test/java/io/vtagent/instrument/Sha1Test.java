package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Sha1Test {

    @Test
    void itIsWhatTheJdkComputesWhateverTheLength() throws NoSuchAlgorithmException {
        Random random = new Random(1);
        for (int length = 0; length < 300; length++) {
            byte[] message = new byte[length];
            random.nextBytes(message);
            ByteBuffer hash = ByteBuffer.allocate(20);
            hash.asIntBuffer().put(Sha1.hash(message));
            assertThat(hash.array()).isEqualTo(MessageDigest.getInstance("SHA-1").digest(message));
        }
    }
}
