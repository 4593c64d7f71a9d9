package dev.inboxd.mail.smtp;

import org.jspecify.annotations.Nullable;

/** Text in the value of a parameter, RFC 3461 §4: {@code +} and two hexadecimal digits stand for what may not. */
final class Xtext {
    private Xtext() {}

    /** The text, all of it printable ASCII, spaces among it; null when it is malformed or says anything else. */
    static @Nullable String decode(String xtext) {
        StringBuilder text = new StringBuilder(xtext.length());
        for (int i = 0; i < xtext.length(); i++) {
            char c = xtext.charAt(i);
            if (c == '+') {
                boolean whole = i + 2 < xtext.length();
                c = whole ? (char) (hex(xtext.charAt(i + 1)) * 16 + hex(xtext.charAt(i + 2))) : 0;
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

    /** The RFC knows capital letters only; anything else makes a character that cannot stand here. */
    private static int hex(char digit) {
        if (digit >= '0' && digit <= '9') {
            return digit - '0';
        }
        return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : 0x800;
    }
}
