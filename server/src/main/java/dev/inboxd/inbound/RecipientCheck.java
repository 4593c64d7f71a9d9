package dev.inboxd.inbound;

import dev.inboxd.inbound.filter.ContentFilters;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.smtp.server.MailHandler.Verdict;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.Recipient;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.KnownRecipients;
import java.util.function.Predicate;

/** Which recipients of received mail are accepted, and where their mail is stored. */
public final class RecipientCheck {
    private final KnownRecipients recipients;
    private final Feedback feedback;
    private final ContentFilters filters;
    private final InboundLimits inflow;

    RecipientCheck(KnownRecipients recipients, Feedback feedback, ContentFilters filters, InboundLimits inflow) {
        this.recipients = recipients;
        this.feedback = feedback;
        this.filters = filters;
        this.inflow = inflow;
    }

    /** Decides about a recipient that a client names. */
    Verdict ofPeer(SmtpPath forwardPath, Peer peer, long size) {
        Verdict verdict = ReturnPaths.isMeant(forwardPath.localPart())
                ? returned(forwardPath)
                : filters.recipient(peer, () -> resolved(forwardPath));
        return inflow.admit(peer, verdict, size);
    }

    /**
     * Decides about a recipient of mail that is handed in in development: no network answers for it, and who may not
     * see the inbox is told that there is none.
     */
    public Verdict ofSandbox(SmtpPath forwardPath, long size, Predicate<AddressDirectory.Destination> isVisible) {
        Verdict verdict = ReturnPaths.isMeant(forwardPath.localPart()) ? returned(forwardPath) : resolved(forwardPath);
        Recipient to = verdict.destination();
        return to == null || isVisible.test(InboxRecipient.of(to))
                ? inflow.admit(null, verdict, size)
                : Verdict.refused(SmtpReply.NO_SUCH_MAILBOX);
    }

    private Verdict resolved(SmtpPath forwardPath) {
        return switch (recipients.resolve(forwardPath.localPart(), forwardPath.domain())) {
            case AddressDirectory.Resolution.LocalInbox ours ->
                Verdict.accepted(new InboxRecipient(ours.destination()));
            case AddressDirectory.Resolution.UnknownAddress _ -> Verdict.refused(SmtpReply.NO_SUCH_MAILBOX);
            case AddressDirectory.Resolution.Remote _ -> Verdict.refused(SmtpReply.RELAY_DENIED);
        };
    }

    private Verdict returned(SmtpPath forwardPath) {
        return feedback.returned(forwardPath.localPart())
                .map(InboxRecipient::accepted)
                .orElse(Verdict.refused(SmtpReply.NO_SUCH_MAILBOX));
    }
}
