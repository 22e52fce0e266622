package io.vtagent.instrument;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * SHA-1 (FIPS 180-4). {@code MessageDigest} is not used because it would call the application's
 * security providers while a class is being loaded. The provider itself may need that class, and
 * {@code main} may not have configured the providers yet.
 */
final class Sha1 {
    private static final int BLOCK = 64;
    private static final int ROUNDS = 80;
    private static final int[] START = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

    private Sha1() {}

    /** Returns the five words of the hash. */
    static int[] hash(byte[] message) {
        // a one, zeros up to the last eight bytes of a block, and there the length in bits
        int blocks = (message.length + 1 + Long.BYTES + BLOCK - 1) / BLOCK;
        byte[] padded = Arrays.copyOf(message, blocks * BLOCK);
        padded[message.length] = (byte) 0x80;
        ByteBuffer.wrap(padded).putLong(padded.length - Long.BYTES, 8L * message.length);
        int[] hash = START.clone();
        int[] w = new int[ROUNDS];
        for (int block = 0; block < blocks; block++) {
            schedule(padded, block * BLOCK, w);
            add(hash, w);
        }
        return hash;
    }

    /**
     * Expands a block of the message into {@code w}. This method and {@link #add} shift instead of
     * calling {@code rotateLeft}, because they run in the interpreter, where calls are expensive.
     */
    private static void schedule(byte[] message, int from, int[] w) {
        int at = from;
        for (int t = 0; t < 16; t++, at += 4) {
            w[t] =
                    message[at] << 24
                            | (message[at + 1] & 0xFF) << 16
                            | (message[at + 2] & 0xFF) << 8
                            | (message[at + 3] & 0xFF);
        }
        for (int t = 16; t < ROUNDS; t++) {
            int word = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
            w[t] = word << 1 | word >>> 31;
        }
    }

    private static void add(int[] hash, int[] w) {
        int a = hash[0];
        int b = hash[1];
        int c = hash[2];
        int d = hash[3];
        int e = hash[4];
        for (int t = 0; t < ROUNDS; t++) {
            int mixed;
            if (t < 20) {
                mixed = ((b & c) | (~b & d)) + 0x5A827999;
            } else if (t < 40) {
                mixed = (b ^ c ^ d) + 0x6ED9EBA1;
            } else if (t < 60) {
                mixed = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
            } else {
                mixed = (b ^ c ^ d) + 0xCA62C1D6;
            }
            int next = (a << 5 | a >>> 27) + mixed + e + w[t];
            e = d;
            d = c;
            c = b << 30 | b >>> 2;
            b = a;
            a = next;
        }
        hash[0] += a;
        hash[1] += b;
        hash[2] += c;
        hash[3] += d;
        hash[4] += e;
    }
}
