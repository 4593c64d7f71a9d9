package dev.inboxd.mail.compose;

/** Checks of every string before it is written to a message. */
final class SafeText {
    private SafeText() {}

    /**
     * Checks a text for a header field: no CR, LF or NUL, which could start another field, and no unpaired surrogate.
     */
    static String header(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r' || c == '\n' || c == '\0') {
                throw new MalformedFieldException(field, "must not contain CR, LF or NUL");
            }
        }
        return encodable(field, text);
    }

    /** Checks a text for a body: any text that UTF-8 can encode. */
    static String encodable(String field, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    throw new MalformedFieldException(field, "must not contain half a surrogate pair");
                }
                i++;
            }
        }
        return text;
    }

    /** Whether every character is ASCII and visible, a space or a tab. */
    static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' || c >= 0x7f) && c != '\t') {
                return false;
            }
        }
        return true;
    }

    static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** RFC 5322 §3.2.3 atext. */
    static boolean isAtext(int c) {
        return isAlphanumeric(c) || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0;
    }

    /** RFC 2045 §5.1 token. */
    static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> isAlphanumeric(c) || "!#$%&'*+-.^_`{|}~".indexOf(c) >= 0);
    }

    static boolean isAlphanumeric(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
