package dev.inboxd.sending;

import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.sending.feedback.Unsubscribes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Unsubscribing by one click (RFC 8058 §3.1). A sender asks for our link by the field {@code List-Unsubscribe-Post} without a
 * {@code List-Unsubscribe} of its own.
 */
final class OneClickUnsubscribe {
    private static final String LINK = "List-Unsubscribe";
    private static final String POST = "List-Unsubscribe-Post";

    private OneClickUnsubscribe() {}

    /**
     * The letter with the link that its sender asked for; the same letter when it did not.
     *
     * @throws Problem {@code unprocessable} when it goes to several recipients: the link is for one, and all get the same bytes
     */
    static OutgoingMessage offered(OutgoingMessage letter, Unsubscribes links, UUID organization) {
        if (!has(letter, POST) || has(letter, LINK)) {
            return letter;
        }
        List<String> recipients = letter.envelope();
        if (recipients.size() != 1) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "A link to unsubscribe is for one recipient",
                    "Send the message to each recipient by itself, or give a List-Unsubscribe of your own.");
        }
        List<CustomHeaderField> headers = new ArrayList<>(letter.options().headers());
        headers.add(new CustomHeaderField(LINK, "<" + links.link(organization, recipients.getFirst()) + ">"));
        return letter.with(new OutgoingMessage.Options(
                letter.options().labels(), headers, letter.options().trackOpens()));
    }

    private static boolean has(OutgoingMessage letter, String name) {
        return letter.options().headers().stream()
                .anyMatch(field -> field.name().equalsIgnoreCase(name));
    }
}
