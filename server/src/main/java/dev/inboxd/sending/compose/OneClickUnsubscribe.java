package dev.inboxd.sending.compose;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.sending.feedback.Unsubscribes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One-click unsubscribe (RFC 8058 §3.1). A sender requests the service's link with the field
 * {@code List-Unsubscribe-Post} without a {@code List-Unsubscribe} of its own.
 */
public final class OneClickUnsubscribe {
    private static final String LINK = "List-Unsubscribe";
    private static final String POST = "List-Unsubscribe-Post";

    private OneClickUnsubscribe() {}

    /**
     * The message with the link that its sender requested; without a request, the same message.
     *
     * @throws Problem {@code unprocessable} with several recipients: the link is for one, and all recipients get the
     *     same bytes
     */
    public static OutgoingMessage offered(OutgoingMessage message, Unsubscribes links, UUID organization) {
        if (!has(message, POST) || has(message, LINK)) {
            return message;
        }
        List<String> recipients = message.envelope();
        if (recipients.size() != 1) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "A link to unsubscribe is for one recipient",
                    "Send the message to each recipient by itself, or give a List-Unsubscribe of your own.");
        }
        List<CustomHeaderField> headers = new ArrayList<>(message.options().headers());
        headers.add(new CustomHeaderField(LINK, "<" + links.link(organization, recipients.getFirst()) + ">"));
        return message.with(new OutgoingMessage.Options(
                message.options().labels(), headers, message.options().trackOpens()));
    }

    private static boolean has(OutgoingMessage message, String name) {
        return message.options().headers().stream()
                .anyMatch(field -> field.name().equalsIgnoreCase(name));
    }
}
