package dev.inboxd.mail.dkim;

import java.util.Locale;

/** The two canonical forms of header fields and bodies (RFC 6376 §3.4). */
public enum Canonicalization {
    /** Unchanged. */
    SIMPLE,
    /** Without differences that relays cause: folds, runs of white space, the case of names. */
    RELAXED;

    /**
     * The canonical form of a field, without its final CRLF.
     *
     * @param raw the field with its folds, one character per octet
     */
    public String header(String raw) {
        return this == RELAXED ? relaxed(raw) : raw.endsWith("\r\n") ? raw.substring(0, raw.length() - 2) : raw;
    }

    private static String relaxed(String raw) {
        int colon = raw.indexOf(':');
        StringBuilder out = new StringBuilder(raw.length())
                .append(raw.substring(0, colon).strip().toLowerCase(Locale.ROOT))
                .append(':');
        int valueStart = out.length();
        boolean space = false;
        for (int i = colon + 1; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\r' || c == '\n') {
                continue;
            }
            if (c == ' ' || c == '\t') {
                space = true;
                continue;
            }
            if (space && out.length() > valueStart) {
                out.append(' ');
            }
            space = false;
            out.append(c);
        }
        return out.toString();
    }
}
