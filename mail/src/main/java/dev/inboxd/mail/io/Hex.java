package dev.inboxd.mail.io;

/** Decodes the two hexadecimal digits of an escaped octet, in either case. */
public final class Hex {
    private Hex() {}

    /** The octet of two digits, or -1. */
    public static int octet(int high, int low) {
        int h = digit(high);
        int l = digit(low);
        return h < 0 || l < 0 ? -1 : h << 4 | l;
    }

    private static int digit(int c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }
}
