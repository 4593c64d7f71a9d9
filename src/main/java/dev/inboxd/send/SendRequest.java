package dev.inboxd.send;

import dev.inboxd.attachment.GivenAttachment;
import dev.inboxd.error.Problem;
import dev.inboxd.json.JsonBody;
import dev.inboxd.label.LabelChanges;
import dev.inboxd.label.Labels;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.HeaderField;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants to send (contract: mail.md §6.8, §6.9). A reply names no subject.
 *
 * @param inReplyTo ids that the caller's own In-Reply-To header names; empty for none
 * @param references the same for References
 * @param headers the other custom headers
 * @param replyAll whether a reply goes to everybody
 */
record SendRequest(Recipients recipients, @Nullable String subject, @Nullable String text, @Nullable String html,
        Set<String> labels, List<GivenAttachment> attachments, List<HeaderField> headers, List<String> inReplyTo,
        List<String> references, boolean trackOpens, boolean replyAll) {
    /** Most recipients over to, cc and bcc together, on each way of sending. */
    static final int MOST_RECIPIENTS = 50;

    private static final int LONGEST_SUBJECT = 998; // RFC 5322 §2.1.1

    /** Whom it goes to, as the caller said; a reply fills in what is empty. */
    record Recipients(List<MailAddress> to, List<MailAddress> cc, List<MailAddress> bcc, List<MailAddress> replyTo) {
        boolean isNamed() {
            return !to.isEmpty() || !cc.isEmpty() || !bcc.isEmpty();
        }
    }

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with everything that is wrong
     */
    static SendRequest read(JsonBody body) {
        Recipients recipients = new Recipients(AddressMembers.read(body, "to"), AddressMembers.read(body, "cc"),
                AddressMembers.read(body, "bcc"), AddressMembers.read(body, "reply_to"));
        if (recipients.replyTo.size() > MOST_RECIPIENTS) {
            body.fault("reply_to", "reply_to has at most " + MOST_RECIPIENTS + " addresses");
        }
        String subject = body.string("subject").max(LONGEST_SUBJECT).optional();
        String text = body.string("text").multiline().optional();
        String html = body.string("html").multiline().optional();
        Set<String> labels = LabelChanges.list(body, "labels");
        if (labels.size() >= Labels.MOST) {
            body.fault("labels", "A message carries at most " + Labels.MOST + " labels, sent among them");
        }
        List<GivenAttachment> attachments = GivenAttachment.read(body, "attachments");
        HeaderMembers headers = HeaderMembers.read(body);
        boolean trackOpens = body.flag("track_opens", false);
        boolean replyAll = body.flag("reply_all", false);
        if (replyAll && recipients.isNamed()) {
            body.fault("reply_all", "reply_all goes without to, cc and bcc");
        }
        body.check();
        return new SendRequest(recipients, subject, text, html, labels, attachments, headers.others(),
                headers.inReplyTo(), headers.references(), trackOpens, replyAll);
    }
}
