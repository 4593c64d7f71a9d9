package dev.inboxd.sending.compose;

import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.message.MessageIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Custom header fields of a request (mail.md §14.3), with In-Reply-To and References apart.
 *
 * @param others all other fields, in their order
 */
record HeaderMembers(List<CustomHeaderField> others, List<String> inReplyTo, List<String> references) {
    private static final int MOST = 50;
    private static final int LONGEST_NAME = 75;
    private static final int LONGEST_VALUE = 998;

    /** Reads the member {@code headers}; faults are collected in the body. */
    static HeaderMembers read(JsonBody body) {
        Map<String, String> members = body.stringMap("headers");
        List<CustomHeaderField> others = new ArrayList<>();
        List<String> inReplyTo = new ArrayList<>();
        List<String> references = new ArrayList<>();
        if (members == null) {
            return new HeaderMembers(others, inReplyTo, references);
        }
        if (members.size() > MOST) {
            body.fault("headers", "headers has at most " + MOST + " members");
        }
        members.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (value.length() > LONGEST_VALUE) {
                body.fault(
                        "headers",
                        shown(name),
                        "The header " + shown(lower) + " has at most " + LONGEST_VALUE + " characters");
            } else if (lower.equals("in-reply-to")) {
                inReplyTo.addAll(MessageIds.all(value));
            } else if (lower.equals("references")) {
                references.addAll(MessageIds.all(value));
            } else if (CustomHeaderField.isReserved(name)) {
                body.fault("headers", name, "The header " + lower + " is written by the service");
            } else if (!isToken(name)) {
                body.fault(
                        "headers", shown(name), "A header name is a token of at most " + LONGEST_NAME + " characters");
            } else {
                others.add(new CustomHeaderField(name, value));
            }
        });
        return new HeaderMembers(List.copyOf(others), List.copyOf(inReplyTo), List.copyOf(references));
    }

    private static String shown(String name) {
        return name.substring(0, Math.min(name.length(), LONGEST_NAME));
    }

    /** RFC 5322 §3.6.8: printable ASCII without the colon. */
    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST_NAME
                && name.chars().allMatch(c -> c > ' ' && c < 0x7F && c != ':');
    }
}
