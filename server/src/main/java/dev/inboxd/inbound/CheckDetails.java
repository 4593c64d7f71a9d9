package dev.inboxd.inbound;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mailbox.label.Labels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** What the log tells of the checks of a received message. */
final class CheckDetails {
    private static final String SPAM = "spam";

    private CheckDetails() {}

    /** The results of SPF, DKIM and DMARC. Of several signatures one that passes counts, else the first. */
    static SequencedMap<String, Object> of(AuthenticationResults results) {
        List<AuthResult> signatures =
                results.dkim().stream().map(AuthenticationResults.Dkim::result).toList();
        AuthResult dkim = signatures.contains(AuthResult.PASS)
                ? AuthResult.PASS
                : signatures.stream().findFirst().orElse(AuthResult.NONE);
        SequencedMap<String, Object> details = new LinkedHashMap<>();
        details.put("spf", results.spf().result().wireName());
        details.put("dkim", dkim.wireName());
        details.put("dmarc", results.dmarc().result().wireName());
        return details;
    }

    /** Whether the message looks like spam to an organization; of several, one counts. */
    static void addSpam(SequencedMap<String, Object> details, InboundItem.Mail mail) {
        boolean spam = mail.isSuspect() || mail.message().labels().contains(Labels.SPAM);
        details.merge(SPAM, spam, (before, now) -> Boolean.TRUE.equals(before) || Boolean.TRUE.equals(now));
    }
}
