package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;

/** Decodes base64 (RFC 2045 §6.8) leniently: foreign characters are skipped, padding may be absent or in the middle. */
final class Base64InputStream extends InputStream {
    private static final byte[] VALUES = values();
    private static final byte NONE = -1;
    private static final byte SPACE = -2;
    private static final byte PAD = -3;

    private final InputStream encoded;
    private final Set<Defect> defects;
    private final byte[] raw = new byte[3 * 1024];
    private int rawPos;
    private int rawEnd;
    /** Values of the collected characters: at most three from before and a full raw buffer. */
    private final byte[] quads = new byte[3 * 1024 + 4];

    private int quadsEnd;
    private final byte[] decoded = new byte[3 * 1024];
    private int decodedPos;
    private int decodedEnd;

    Base64InputStream(InputStream encoded, Set<Defect> defects) {
        this.encoded = encoded;
        this.defects = defects;
    }

    /** The six bits of a character, or a negative number. */
    static int value(int c) {
        return c < 0x80 ? VALUES[c] : NONE;
    }

    @Override
    public int read() throws IOException {
        return more() ? decoded[decodedPos++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (!more()) {
            return -1;
        }
        int count = Math.min(length, decodedEnd - decodedPos);
        System.arraycopy(decoded, decodedPos, target, offset, count);
        decodedPos += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        encoded.close();
    }

    private boolean more() throws IOException {
        while (decodedPos == decodedEnd) {
            if (rawPos == rawEnd) {
                rawPos = 0;
                rawEnd = Math.max(0, encoded.read(raw));
                if (rawEnd == 0) {
                    decodeQuads(quadsEnd);
                    return decodedPos < decodedEnd;
                }
            }
            boolean padded = collect();
            decodeQuads(padded ? quadsEnd : quadsEnd & ~3);
        }
        return true;
    }

    /**
     * Collects base64 characters.
     *
     * @return true at padding, where the quantum ends and another stream may begin
     */
    private boolean collect() {
        int end = quadsEnd;
        while (rawPos < rawEnd) {
            byte b = raw[rawPos++];
            byte value = b < 0 ? NONE : VALUES[b];
            if (value >= 0) {
                quads[end++] = value;
            } else if (value == PAD && end > 0) {
                quadsEnd = end;
                return true;
            } else if (value == NONE) {
                defects.add(Defect.DAMAGED_ENCODING);
            }
        }
        quadsEnd = end;
        return false;
    }

    private void decodeQuads(int end) {
        // A single remaining character has six bits, which are no octet.
        int usable = end % 4 == 1 ? end - 1 : end;
        if (usable < end) {
            defects.add(Defect.DAMAGED_ENCODING);
        }
        decodedPos = 0;
        decodedEnd = 0;
        int i = 0;
        for (; i + 4 <= usable; i += 4) {
            int bits = quads[i] << 18 | quads[i + 1] << 12 | quads[i + 2] << 6 | quads[i + 3];
            decoded[decodedEnd++] = (byte) (bits >> 16);
            decoded[decodedEnd++] = (byte) (bits >> 8);
            decoded[decodedEnd++] = (byte) bits;
        }
        if (usable - i >= 2) {
            decoded[decodedEnd++] = (byte) (quads[i] << 2 | quads[i + 1] >> 4);
        }
        if (usable - i == 3) {
            decoded[decodedEnd++] = (byte) (quads[i + 1] << 4 | quads[i + 2] >> 2);
        }
        System.arraycopy(quads, end, quads, 0, quadsEnd - end);
        quadsEnd -= end;
    }

    private static byte[] values() {
        var values = new byte[0x80];
        Arrays.fill(values, NONE);
        var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = (byte) i;
        }
        for (char space : " \t\r\n".toCharArray()) {
            values[space] = SPACE;
        }
        values['='] = PAD;
        return values;
    }
}
