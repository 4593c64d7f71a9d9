package dev.inboxd.inbound.authentication;

import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.smtp.SmtpReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a message's authentication.
 *
 * @param refusal the reply in place of 250, or null
 * @param labels labels of the message when it is accepted
 * @param field the Authentication-Results field to stand above our Received field, with its CRLF
 * @param claimed our host name when the client's message contains, or may contain, Authentication-Results fields in
 *     that name, which are then removed; else null
 * @param author the author's address when the message is authenticated and a domain that passed is aligned with the
 *     author's: then it is this author's word; else null
 * @param results the results that the field tells
 */
public record AuthenticationVerdict(
        @Nullable SmtpReply refusal,
        List<String> labels,
        String field,
        @Nullable String claimed,
        @Nullable String author,
        AuthenticationResults results) {
    public AuthenticationVerdict {
        labels = List.copyOf(labels);
    }
}
