package dev.inboxd.base.id;

import java.security.SecureRandom;

/** Random texts of digits and letters: 43 characters carry 256 bits, 27 carry 160. */
public final class Base62 {
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final SecureRandom RANDOM = new SecureRandom();

    private Base62() {}

    /** A random text of this length, each character drawn evenly from the alphabet. */
    public static String random(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }

    /** A text with one character for each byte of a digest; equal digests give equal texts. */
    public static String of(byte[] digest) {
        char[] text = new char[digest.length];
        for (int i = 0; i < text.length; i++) {
            text[i] = ALPHABET.charAt(Byte.toUnsignedInt(digest[i]) % ALPHABET.length());
        }
        return new String(text);
    }

    /** A number in fixed width, so that texts sort like the numbers (the alphabet is in ASCII order). */
    public static String fixed(long number, int width) {
        char[] text = new char[width];
        long remainder = number;
        for (int i = width - 1; i >= 0; i--) {
            text[i] = ALPHABET.charAt((int) (remainder % 62));
            remainder /= 62;
        }
        return new String(text);
    }

    /**
     * Parses a fixed-width text.
     *
     * @throws NumberFormatException when a character is not in the alphabet or the number does not fit
     */
    public static long number(String text) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = ALPHABET.indexOf(text.charAt(i));
            if (digit < 0 || number > (Long.MAX_VALUE - digit) / 62) {
                throw new NumberFormatException("not a base62 number");
            }
            number = number * 62 + digit;
        }
        return number;
    }
}
