package io.vtagent.instrument;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * SHA-1 (FIPS 180-4). {@code MessageDigest} would ask the application's security providers, while one of its classes is being
 * loaded, perhaps one that the provider itself needs, and before {@code main} could configure them.
 */
final class Sha1 {
    private static final int BLOCK = 64;
    private static final int[] START = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};

    private Sha1() {}

    /** The five words of the hash. */
    static int[] hash(byte[] message) {
        // a one, zeros up to the last eight bytes of a block, and there the length in bits
        int blocks = (message.length + 1 + Long.BYTES + BLOCK - 1) / BLOCK;
        byte[] padded = Arrays.copyOf(message, blocks * BLOCK);
        padded[message.length] = (byte) 0x80;
        ByteBuffer words = ByteBuffer.wrap(padded);
        words.putLong(padded.length - Long.BYTES, 8L * message.length);
        int[] hash = START.clone();
        for (int block = 0; block < blocks; block++) {
            add(hash, words);
        }
        return hash;
    }

    private static void add(int[] hash, ByteBuffer words) {
        int[] w = new int[80];
        for (int t = 0; t < w.length; t++) {
            w[t] = t < 16 ? words.getInt() : Integer.rotateLeft(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
        }
        int a = hash[0];
        int b = hash[1];
        int c = hash[2];
        int d = hash[3];
        int e = hash[4];
        for (int t = 0; t < w.length; t++) {
            int next = Integer.rotateLeft(a, 5) + mixed(t, b, c, d) + e + w[t];
            e = d;
            d = c;
            c = Integer.rotateLeft(b, 30);
            b = a;
            a = next;
        }
        hash[0] += a;
        hash[1] += b;
        hash[2] += c;
        hash[3] += d;
        hash[4] += e;
    }

    private static int mixed(int t, int b, int c, int d) {
        return switch (t / 20) {
            case 0 -> ((b & c) | (~b & d)) + 0x5A827999;
            case 1 -> (b ^ c ^ d) + 0x6ED9EBA1;
            case 2 -> ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
            default -> (b ^ c ^ d) + 0xCA62C1D6;
        };
    }
}
