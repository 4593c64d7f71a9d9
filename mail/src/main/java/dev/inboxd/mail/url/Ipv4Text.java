package dev.inboxd.mail.url;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses IPv4 addresses in every spelling of {@code inet_aton}: one to four parts, each decimal, octal (leading 0) or
 * hexadecimal (leading 0x), and the last part fills the rest. Platforms still accept these spellings, so inboxd must
 * know which address they mean (WHATWG URL §3.5 keeps them).
 */
public final class Ipv4Text {
    private static final long TOO_LARGE = 1L << 32;

    private Ipv4Text() {}

    /** Whether the label reads as a number, complete or not ({@code 0x} alone counts). */
    public static boolean isNumber(String label) {
        boolean hexadecimal = isHexadecimal(label);
        int radix = hexadecimal ? 16 : 10;
        for (int i = hexadecimal ? 2 : 0; i < label.length(); i++) {
            if (Character.digit(label.charAt(i), radix) < 0) {
                return false;
            }
        }
        return !label.isEmpty();
    }

    /** The four octets, or null when the text is not an address. */
    public static byte @Nullable [] parse(String text) {
        return parse(List.of(text.split("\\.", -1)));
    }

    /** As {@link #parse(String)}, for the parts between the dots. */
    public static byte @Nullable [] parse(List<String> parts) {
        if (parts.size() > 4) {
            return null;
        }
        long address = 0;
        for (int i = 0; i < parts.size(); i++) {
            boolean last = i == parts.size() - 1;
            long value = number(parts.get(i));
            int bits = last ? 32 - 8 * i : 8;
            if (value < 0 || value >= 1L << bits) {
                return null;
            }
            address = address | (last ? value : value << (24 - 8 * i));
        }
        return new byte[] {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
    }

    private static long number(String part) {
        if (part.isEmpty()) {
            return -1;
        }
        if (isHexadecimal(part)) {
            return number(part.substring(2), 16);
        }
        return part.charAt(0) == '0' ? number(part, 8) : number(part, 10);
    }

    private static long number(String digits, int radix) {
        long value = digits.isEmpty() ? -1 : 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) < 128 ? Character.digit(digits.charAt(i), radix) : -1;
            value = value * radix + digit;
            if (digit < 0 || value >= TOO_LARGE) {
                return -1;
            }
        }
        return value;
    }

    private static boolean isHexadecimal(String part) {
        return part.startsWith("0x") || part.startsWith("0X");
    }
}
