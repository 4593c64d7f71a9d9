package dev.inboxd.mail.message;

import java.util.List;
import java.util.Locale;

/**
 * The ids that relays give messages in place of theirs, as their answers to the end of DATA name them. Amazon SES
 * answers {@code 250 Ok <id>} and writes {@code <id@email.amazonses.com>}, or the name of its region in front of
 * {@code amazonses.com}; others name the whole id in brackets.
 */
public final class RelayIds {
    private static final String SES = "amazonses.com>";
    /** A shorter word is a phrase of the server, such as {@code 250 Ok accepted}. */
    private static final int SHORTEST = 20;

    private RelayIds() {}

    /**
     * The ids that an answer names.
     *
     * @param answer the reply on one line, such as {@code 250 Ok 0100019a-1111-000000}
     */
    public static List<String> named(String answer) {
        List<String> ids = MessageIds.all(answer);
        if (!ids.isEmpty() || !answer.startsWith("250 ")) {
            return ids;
        }
        var text = answer.substring(4).strip();
        var reply = text.startsWith("2.0.0 ") ? text.substring(6) : text;
        var word =
                reply.regionMatches(true, 0, "ok ", 0, 3) ? reply.substring(3).strip() : "";
        boolean isId = word.length() >= SHORTEST && word.chars().allMatch(RelayIds::isOfId);
        return isId ? List.of(key("<" + word + "@" + SES)) : List.of();
    }

    /** The key of an id ({@link MessageIds#key}), which is the same for all regions of a relay. */
    public static String key(String id) {
        var key = MessageIds.key(id);
        int at = key.lastIndexOf('@');
        if (at < 0 || !key.toLowerCase(Locale.ROOT).endsWith(SES)) {
            return key;
        }
        int domain = key.length() - SES.length();
        boolean isBelow = domain == at + 1 || key.charAt(domain - 1) == '.';
        return isBelow ? key.substring(0, at + 1) + SES : key;
    }

    private static boolean isOfId(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    }
}
