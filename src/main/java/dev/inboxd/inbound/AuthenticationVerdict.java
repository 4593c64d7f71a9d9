package dev.inboxd.inbound;

import dev.inboxd.mail.smtp.SmtpReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the checks of a message.
 *
 * @param refusal what the client hears instead of 250, or null
 * @param labels what the message is labelled with when it is taken
 * @param field the Authentication-Results field to stand above our Received field, with its CRLF
 * @param claimed our name when the client's message speaks in it, or may, and is to be stored without that; else null
 * @param authenticatedDomains the domains that SPF or DKIM vouch for
 */
record AuthenticationVerdict(
        @Nullable SmtpReply refusal,
        List<String> labels,
        String field,
        @Nullable String claimed,
        List<String> authenticatedDomains) {
    AuthenticationVerdict {
        authenticatedDomains = List.copyOf(authenticatedDomains);
        labels = List.copyOf(labels);
    }
}
