package dev.inboxd.sending.compose;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.Labels;
import java.util.List;
import java.util.Set;

/**
 * A request to send a message (mail.md §6.8 to §6.11).
 *
 * @param message the message that the body describes
 * @param replyAll whether a reply goes to everybody
 * @param terms under which it may join a thread
 */
public record SendRequest(OutgoingMessage message, boolean replyAll, AnswerTerms terms) {
    private static final int LONGEST_CLAIM = 64;
    private static final int LONGEST_SUBJECT = 998; // RFC 5322 §2.1.1

    /** Which members a request has; other members are ignored. */
    public enum Kind {
        /** All members. */
        SEND,
        /** No subject; header fields do not set the thread. */
        REPLY,
        /** As a reply, and no recipients. */
        REPLY_ALL,
        /** All members, but header fields do not set the thread. */
        FORWARD;

        boolean names() {
            return this != REPLY_ALL;
        }

        boolean hasSubject() {
            return this == SEND || this == FORWARD;
        }
    }

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    public static SendRequest read(JsonBody body, Kind form) {
        OutgoingMessage.Recipients recipients = new OutgoingMessage.Recipients(
                addresses(body, "to", form),
                addresses(body, "cc", form),
                addresses(body, "bcc", form),
                AddressMembers.read(body, "reply_to"));
        if (recipients.replyTo().size() > OutgoingMessage.MOST_RECIPIENTS) {
            body.fault("reply_to", "reply_to has at most " + OutgoingMessage.MOST_RECIPIENTS + " addresses");
        }
        String subject = form.hasSubject()
                ? body.string("subject").max(LONGEST_SUBJECT).tabsAsSpaces().optional()
                : null;
        String text = body.string("text").multiline().optional();
        String html = body.string("html").multiline().optional();
        Set<String> labels = LabelMembers.list(body, "labels");
        if (labels.size() >= Labels.MOST) {
            body.fault("labels", "A message carries at most " + Labels.MOST + " labels, sent among them");
        }
        OutgoingMessage.Body content =
                new OutgoingMessage.Body(text, html, AttachmentMembers.read(body, "attachments"));
        HeaderMembers headers = HeaderMembers.read(body);
        boolean trackOpens = body.flag("track_opens", false);
        boolean replyAll = form == Kind.REPLY && isToAll(body, recipients);
        AnswerTerms terms = terms(body, form == Kind.FORWARD ? AnswerTerms.Kind.FORWARD : AnswerTerms.Kind.ANSWER);
        body.check();
        OutgoingMessage.ThreadReferences references = form == Kind.SEND
                ? new OutgoingMessage.ThreadReferences(headers.inReplyTo(), headers.references(), null)
                : OutgoingMessage.ThreadReferences.NEW;
        return new SendRequest(
                new OutgoingMessage(
                        recipients,
                        subject,
                        content,
                        new OutgoingMessage.Options(labels, headers.others(), trackOpens),
                        references),
                replyAll,
                terms);
    }

    private static boolean isToAll(JsonBody body, OutgoingMessage.Recipients recipients) {
        boolean toAll = body.flag("reply_all", false);
        if (toAll && recipients.isNamed()) {
            body.fault("reply_all", "reply_all goes without to, cc and bcc");
        }
        return toAll;
    }

    /** Reads what a request says of claims and of earlier answers. */
    public static AnswerTerms terms(JsonBody body, AnswerTerms.Kind kind) {
        return new AnswerTerms(
                kind,
                body.string("claim_id").max(LONGEST_CLAIM).optional(),
                body.flag("keep_claim", false),
                body.flag("if_unanswered"),
                null,
                null,
                null);
    }

    private static List<MailAddress> addresses(JsonBody body, String member, Kind form) {
        return form.names() ? AddressMembers.read(body, member) : List.of();
    }
}
