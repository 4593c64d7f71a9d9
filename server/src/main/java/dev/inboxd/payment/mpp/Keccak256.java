package dev.inboxd.payment.mpp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keccak-256 as Ethereum has it (draft-evm-charge-00): SHA3-256 of FIPS 202 with the padding of the submission to the
 * contest, 0x01 in place of 0x06. The JDK has SHA-3 and not this (decision 0087).
 */
final class Keccak256 {
    private static final byte SUFFIX = 0x01;
    private static final int RATE = 136; // bytes: 1600 bits less twice the 256 of the digest (FIPS 202 §6.1)
    private static final int DIGEST = 32;
    private static final int ROUNDS = 24;

    private final long[] state = new long[25];

    private Keccak256() {}

    /** The digest of 32 bytes. */
    static byte[] of(byte[] message) {
        return sponge(message, SUFFIX);
    }

    /** The sponge of FIPS 202 §4 with a capacity of 512 bits, and the first byte of its padding. */
    static byte[] sponge(byte[] message, byte suffix) {
        byte[] padded = Arrays.copyOf(message, (message.length / RATE + 1) * RATE);
        padded[message.length] = suffix;
        padded[padded.length - 1] |= (byte) 0x80;
        ByteBuffer input = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        Keccak256 keccak = new Keccak256();
        while (input.hasRemaining()) {
            for (int lane = 0; lane < RATE / Long.BYTES; lane++) {
                keccak.state[lane] ^= input.getLong();
            }
            keccak.permute();
        }
        ByteBuffer digest = ByteBuffer.allocate(DIGEST).order(ByteOrder.LITTLE_ENDIAN);
        for (int lane = 0; lane < DIGEST / Long.BYTES; lane++) {
            digest.putLong(keccak.state[lane]);
        }
        return digest.array();
    }

    /** Keccak-f[1600] (FIPS 202 §3.3); lane (x, y) is at x + 5y. */
    private void permute() {
        int register = 1;
        for (int round = 0; round < ROUNDS; round++) {
            theta();
            rhoAndPi();
            chi();
            // iota (§3.2.5): bit 2^j - 1 of the lane is the next bit of a shift register
            for (int j = 0; j <= 6; j++) {
                if ((register & 1) != 0) {
                    state[0] ^= 1L << ((1 << j) - 1);
                }
                register <<= 1;
                if ((register & 0x100) != 0) {
                    register ^= 0x171;
                }
            }
        }
    }

    private void theta() {
        long[] parity = new long[5];
        for (int lane = 0; lane < state.length; lane++) {
            parity[lane % 5] ^= state[lane];
        }
        for (int lane = 0; lane < state.length; lane++) {
            int x = lane % 5;
            state[lane] ^= parity[(x + 4) % 5] ^ Long.rotateLeft(parity[(x + 1) % 5], 1);
        }
    }

    private void rhoAndPi() {
        int x = 1;
        int y = 0;
        long moved = state[1];
        for (int t = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            x = y;
            y = next;
            long lane = state[x + 5 * y];
            state[x + 5 * y] = Long.rotateLeft(moved, (t + 1) * (t + 2) / 2 % 64);
            moved = lane;
        }
    }

    private void chi() {
        for (int row = 0; row < state.length; row += 5) {
            long[] old = Arrays.copyOfRange(state, row, row + 5);
            for (int x = 0; x < 5; x++) {
                state[row + x] = old[x] ^ (~old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
    }
}
