package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The addresses of Proofpoint, which have targets in two forms of their own. */
final class UrlDefense {
    private static final String START = "/v3/__";
    private static final String END = "__;";
    private static final String LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private UrlDefense() {}

    /**
     * The target between {@code /v3/__} and {@code __;}. Behind that stand, as base64url, the characters that an
     * asterisk replaces: one for {@code *}, and from two on, as the letter counts them, for {@code **A}.
     */
    static @Nullable String targetIn(String address) {
        int start = address.indexOf(START);
        int end = start < 0 ? -1 : address.indexOf(END, start + START.length());
        if (end < 0) {
            return null;
        }
        int mark = address.indexOf('!', end);
        String code = address.substring(end + END.length(), mark < 0 ? address.length() : mark);
        String replaced = WrittenTarget.base64(code);
        String target = restored(address.substring(start + START.length(), end), replaced == null ? "" : replaced);
        int colon = target.indexOf(":/");
        boolean isShort = colon > 0 && !target.startsWith("://", colon);
        return WrittenTarget.asIs(
                isShort ? target.substring(0, colon + 2) + "/" + target.substring(colon + 2) : target);
    }

    private static String restored(String target, String replaced) {
        StringBuilder text = new StringBuilder(target.length());
        int used = 0;
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c != '*') {
                text.append(c);
                continue;
            }
            int count = 1;
            if (i + 2 < target.length() && target.charAt(i + 1) == '*' && LENGTHS.indexOf(target.charAt(i + 2)) >= 0) {
                count = LENGTHS.indexOf(target.charAt(i + 2)) + 2;
                i += 2;
            }
            int to = Math.min(replaced.length(), used + count);
            text.append(replaced, used, to);
            used = to;
        }
        return text.toString();
    }

    /** The text of a value in which a hyphen stands for a percent sign and an underscore for a slash. */
    static @Nullable String decoded(String value) {
        if (!value.startsWith("https-3A__") && !value.startsWith("http-3A__")) {
            return null;
        }
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isPercent = c == '-'
                    && i + 2 < value.length()
                    && HexFormat.isHexDigit(value.charAt(i + 1))
                    && HexFormat.isHexDigit(value.charAt(i + 2));
            text.append(isPercent ? '%' : c == '_' ? '/' : c);
        }
        return UrlEncoding.decoded(text.toString());
    }
}
