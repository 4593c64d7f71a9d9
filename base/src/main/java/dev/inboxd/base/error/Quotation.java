package dev.inboxd.base.error;

/** Quotes in a message what the caller wrote, so that one among many values is found. */
public final class Quotation {
    private static final int LONGEST = 60;

    private Quotation() {}

    /** The text in quotation marks; its end is left out when it is long, and what cannot be seen is escaped. */
    public static String of(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        int end = text.length() > LONGEST ? text.offsetByCodePoints(0, LONGEST / 2) : text.length();
        text.substring(0, end).codePoints().forEach(c -> {
            switch (c) {
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> append(quoted, c);
            }
        });
        return quoted.append(end < text.length() ? "…\"" : "\"").toString();
    }

    private static void append(StringBuilder quoted, int c) {
        int type = Character.getType(c);
        if (type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE) {
            quoted.append(String.format("\\u%04x", c));
        } else {
            quoted.appendCodePoint(c);
        }
    }
}
