package dev.inboxd.mail.report;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds addresses in running text. */
final class Mentions {
    private static final String ATEXT = "!#$%&'*+-/=?^_`{|}~.";
    private static final int MAX_LOCAL_PART = 64;
    private static final int MAX_DOMAIN = 255;

    private Mentions() {}

    /** An address with its start and end in the text. */
    record Mention(String address, int start, int end) {}

    /** The first {@code most} addresses of a text, in order. */
    static List<Mention> in(String text, int most) {
        List<Mention> mentions = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf('@'); at >= 0 && mentions.size() < most; at = text.indexOf('@', at + 1)) {
            Mention mention = around(text, at, from);
            if (mention != null) {
                mentions.add(mention);
                from = mention.end;
            }
        }
        return mentions;
    }

    /** The addresses alone. */
    static List<String> addresses(String text, int most) {
        return in(text, most).stream().map(Mention::address).toList();
    }

    private static @Nullable Mention around(String text, int at, int from) {
        int start = at > from && text.charAt(at - 1) == '"' ? quoted(text, at, from) : unquoted(text, at, from);
        int end = at + 1;
        while (end < text.length() && end - at <= MAX_DOMAIN && isDomain(text.charAt(end))) {
            end++;
        }
        while (end > at && !Character.isLetterOrDigit(text.charAt(end - 1))) { // the end of a sentence
            end--;
        }
        while (start < at && "'`*-=.".indexOf(text.charAt(start)) >= 0) { // quotes and bullets
            start++;
        }
        if (start == at || text.substring(at + 1, Math.max(at + 1, end)).indexOf('.') <= 0) {
            return null;
        }
        try {
            return new Mention(AddrSpec.parse(text.substring(start, end)).toString(), start, end);
        } catch (AddressSyntaxException notAddress) {
            return null;
        }
    }

    private static int unquoted(String text, int at, int from) {
        int start = at;
        while (start > from && at - start < MAX_LOCAL_PART && isLocal(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    /** The start of a quoted local part (RFC 5321 §4.1.2); its end when the start is not near. */
    private static int quoted(String text, int at, int from) {
        for (int i = at - 2; i >= from && at - i <= MAX_LOCAL_PART; i--) {
            if (text.charAt(i) == '"') {
                return i;
            }
        }
        return at;
    }

    private static boolean isLocal(char c) {
        return Character.isLetterOrDigit(c) || ATEXT.indexOf(c) >= 0;
    }

    private static boolean isDomain(char c) {
        return Character.isLetterOrDigit(c) || c == '.' || c == '-';
    }
}
