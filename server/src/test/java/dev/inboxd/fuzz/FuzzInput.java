package dev.inboxd.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An input taken apart: what one parser reads often comes from several places. */
final class FuzzInput {
    /** Stands between the pieces; parsers get it too, in the last. */
    static final byte SEPARATOR = 0x1E;

    private final byte[] all;
    private int at;

    FuzzInput(byte[] all) {
        this.all = all;
    }

    /** The octets up to the next separator. */
    byte[] piece() {
        int end = at;
        while (end < all.length && all[end] != SEPARATOR) {
            end++;
        }
        byte[] piece = Arrays.copyOfRange(all, Math.min(at, all.length), end);
        at = end + 1;
        return piece;
    }

    /** The same as text, malformed UTF-8 replaced. */
    String text() {
        return new String(piece(), StandardCharsets.UTF_8);
    }

    /** The same, a character for each octet. */
    String latin() {
        return new String(piece(), StandardCharsets.ISO_8859_1);
    }

    /** All that is left. */
    byte[] rest() {
        return Arrays.copyOfRange(all, Math.min(at, all.length), all.length);
    }
}
