package dev.inboxd.mail.smtp;

import org.jspecify.annotations.Nullable;

/** Text in the value of a parameter, RFC 3461 §4: {@code +} and two hexadecimal digits escape a character. */
final class Xtext {
    private Xtext() {}

    /** The decoded text, printable ASCII with spaces; null when it is malformed or contains other characters. */
    static @Nullable String decode(String xtext) {
        StringBuilder text = new StringBuilder(xtext.length());
        for (int i = 0; i < xtext.length(); i++) {
            char c = xtext.charAt(i);
            if (c == '+') {
                boolean complete = i + 2 < xtext.length();
                c = complete ? (char) (hex(xtext.charAt(i + 1)) * 16 + hex(xtext.charAt(i + 2))) : 0;
                i += 2;
            } else if (c == '=') {
                return null;
            }
            if (c < ' ' || c > '~') {
                return null;
            }
            text.append(c);
        }
        return text.isEmpty() ? null : text.toString();
    }

    /** RFC 3461 permits capital letters only; any other digit gives a character that is refused here. */
    private static int hex(char digit) {
        if (digit >= '0' && digit <= '9') {
            return digit - '0';
        }
        return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : 0x800;
    }
}
