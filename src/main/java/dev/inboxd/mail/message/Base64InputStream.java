package dev.inboxd.mail.message;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;

/** Decodes base64 (RFC 2045 §6.8) as it is found: foreign characters are skipped, padding may be absent or in the middle. */
final class Base64InputStream extends InputStream {
    private static final byte[] VALUES = values();
    private static final byte NONE = -1;
    private static final byte SPACE = -2;
    private static final byte PAD = -3;

    private final InputStream encoded;
    private final Set<Defect> defects;
    private final byte[] raw = new byte[8 * 1024];
    private int rawPos;
    private int rawEnd;
    private byte[] quads = new byte[8 * 1024];
    private int quadsEnd;
    private ByteBuffer decoded = ByteBuffer.allocate(0);

    Base64InputStream(InputStream encoded, Set<Defect> defects) {
        this.encoded = encoded;
        this.defects = defects;
    }

    /** The six bits a character stands for, or a negative number. */
    static int value(int c) {
        return c < 0x80 ? VALUES[c] : NONE;
    }

    @Override
    public int read() throws IOException {
        return more() ? decoded.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (!more()) {
            return -1;
        }
        int count = Math.min(length, decoded.remaining());
        decoded.get(target, offset, count);
        return count;
    }

    @Override
    public void close() throws IOException {
        encoded.close();
    }

    private boolean more() throws IOException {
        while (!decoded.hasRemaining()) {
            if (rawPos == rawEnd) {
                rawPos = 0;
                rawEnd = Math.max(0, encoded.read(raw));
                if (rawEnd == 0) {
                    decodeQuads(quadsEnd);
                    return decoded.hasRemaining();
                }
            }
            boolean padded = collect();
            decodeQuads(padded ? quadsEnd : quadsEnd & ~3);
        }
        return true;
    }

    /** Gathers the characters that count; true at padding, where the quantum ends and another stream may begin. */
    private boolean collect() {
        int end = quadsEnd;
        if (quads.length - end < rawEnd - rawPos) {
            quads = Arrays.copyOf(quads, end + raw.length);
        }
        while (rawPos < rawEnd) {
            byte b = raw[rawPos++];
            byte value = b < 0 ? NONE : VALUES[b];
            if (value >= 0) {
                quads[end++] = b;
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
        // A single left-over character holds six bits, not an octet.
        int usable = end % 4 == 1 ? end - 1 : end;
        if (usable < end) {
            defects.add(Defect.DAMAGED_ENCODING);
        }
        decoded = Base64.getDecoder().decode(ByteBuffer.wrap(quads, 0, usable));
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
