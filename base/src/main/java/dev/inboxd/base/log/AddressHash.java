package dev.inboxd.base.log;

import dev.inboxd.base.id.Hmac;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Replaces every email address in the text of a log line by a keyed hash ({@code INBOXD_LOG_ADDRESSES=hashed}). Equal
 * addresses have equal hashes, whatever their case, and without the key nobody can find the address by trying.
 */
public final class AddressHash implements UnaryOperator<String> {
    /** Octets of a hash that are shown: no two addresses of one log share them by accident. */
    private static final int OCTETS = 10;

    /** Longer than any local part, so that no text takes more than linear time. */
    private static final int LONGEST_LOCAL = 320;

    private static final String AT = "@";
    /** The same in the path of a request. */
    private static final String ENCODED_AT = "%40";

    /** What ends a local part on its left: RFC 5322 §3.2.3 and §3.4, but for the dot. */
    private static final String DELIMITERS = "<>()[]:;,\"\\@";

    private static final String PATH_DELIMITERS = DELIMITERS + "/?&=";

    private final Hmac key;

    /** Hashes with that key. */
    public AddressHash(byte[] key) {
        this.key = new Hmac(key);
    }

    @Override
    public String apply(String text) {
        int at = nextAt(text, 0);
        if (at < 0) {
            return text;
        }
        StringBuilder result = new StringBuilder(text.length());
        int copied = 0;
        while (at >= 0) {
            int domain = at + length(text, at);
            int start = localStart(text, copied, at);
            int end = domainEnd(text, domain);
            if (start < at && end > domain) {
                result.append(text, copied, start)
                        .append(hash(text.substring(start, at) + AT + text.substring(domain, end)));
                copied = end;
            }
            at = nextAt(text, Math.max(domain, copied));
        }
        return result.append(text, copied, text.length()).toString();
    }

    /** The hash of an account or another name of somebody, which is no email address. */
    String account(String account) {
        return hash(account);
    }

    private static int nextAt(String text, int from) {
        int plain = text.indexOf(AT, from);
        int encoded = text.indexOf(ENCODED_AT, from);
        return plain < 0 || encoded < 0 ? Math.max(plain, encoded) : Math.min(plain, encoded);
    }

    private static int length(String text, int at) {
        return text.startsWith(AT, at) ? AT.length() : ENCODED_AT.length();
    }

    /** The start of the local part that ends there: of a quoted string, or of what has no space and no delimiter. */
    private static int localStart(String text, int from, int at) {
        if (at > 0 && text.charAt(at - 1) == '"') {
            int quote = at - 2;
            int first = Math.max(from, at - LONGEST_LOCAL);
            while (quote >= first && (text.charAt(quote) != '"' || isEscaped(text, quote))) {
                quote--;
            }
            return quote < first ? at : quote;
        }
        int start = at;
        while (start > from && at - start < LONGEST_LOCAL && isLocal(text.charAt(start - 1), DELIMITERS)) {
            start--;
        }
        return start < at && text.charAt(start) == '/' ? lastName(text, start, at) : start;
    }

    /** In the path of a request, what a local part may hold as well stands between names. */
    private static int lastName(String path, int from, int to) {
        int start = to;
        while (start > from && isLocal(path.charAt(start - 1), PATH_DELIMITERS)) {
            start--;
        }
        return start;
    }

    private static boolean isEscaped(String text, int at) {
        return at > 0 && text.charAt(at - 1) == '\\';
    }

    private static boolean isLocal(char c, String delimiters) {
        return c > ' ' && c != 0x7F && delimiters.indexOf(c) < 0;
    }

    private static int domainEnd(String text, int from) {
        int end = from;
        if (end < text.length() && text.charAt(end) == '[') {
            int close = text.indexOf(']', end);
            return close < 0 ? text.length() : close + 1;
        }
        while (end < text.length() && isDomain(text.charAt(end))) {
            end++;
        }
        while (end > from && text.charAt(end - 1) == '.') { // the end of a sentence
            end--;
        }
        return end;
    }

    private static boolean isDomain(char c) {
        return Character.isLetterOrDigit(c) || c == '-' || c == '.' || c == '_' || c >= 0x80;
    }

    private String hash(String address) {
        byte[] mac = key.mac(address.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
        return "address:" + HexFormat.of().formatHex(mac, 0, OCTETS);
    }
}
