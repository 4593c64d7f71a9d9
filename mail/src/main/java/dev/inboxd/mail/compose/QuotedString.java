package dev.inboxd.mail.compose;

/** The quoted-string of RFC 5322 §3.2.4. */
final class QuotedString {
    private QuotedString() {}

    static String string(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append((char) c);
        });
        return quoted.append('"').toString();
    }
}
