package dev.inboxd.inbound;

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
 * @param authenticatedDomains the domains with an SPF or DKIM pass
 * @param results the results that the field tells
 */
record AuthenticationVerdict(
        @Nullable SmtpReply refusal,
        List<String> labels,
        String field,
        @Nullable String claimed,
        List<String> authenticatedDomains,
        AuthenticationResults results) {
    AuthenticationVerdict {
        authenticatedDomains = List.copyOf(authenticatedDomains);
        labels = List.copyOf(labels);
    }
}
