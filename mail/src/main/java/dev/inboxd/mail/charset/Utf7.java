package dev.inboxd.mail.charset;

/** Decodes UTF-7 (RFC 2152), which the JDK does not have. */
final class Utf7 {
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private Utf7() {}

    static String decode(String text) {
        var decoded = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '+') {
                decoded.append(c);
            } else if (i < text.length() && text.charAt(i) == '-') {
                decoded.append('+');
                i++;
            } else {
                i = shifted(text, i, decoded);
            }
        }
        return decoded.toString();
    }

    /** Decodes base64 of UTF-16 up to the first other character; a {@code -} there is consumed. */
    private static int shifted(String text, int from, StringBuilder decoded) {
        int bits = 0;
        int count = 0;
        int i = from;
        for (; i < text.length(); i++) {
            int value = DIGITS.indexOf(text.charAt(i));
            if (value < 0) {
                break;
            }
            bits = bits << 6 | value;
            count += 6;
            if (count >= 16) {
                count -= 16;
                decoded.append((char) (bits >> count));
            }
        }
        return i < text.length() && text.charAt(i) == '-' ? i + 1 : i;
    }
}
