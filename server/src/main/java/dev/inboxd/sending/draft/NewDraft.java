package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.sending.answer.DraftTerms;
import dev.inboxd.sending.compose.AddressMembers;
import dev.inboxd.sending.compose.AttachmentMembers;
import dev.inboxd.sending.compose.OutgoingMessage;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to create a draft (mail.md §8.4).
 *
 * @param message the message as the request describes it
 * @param inReplyTo the public id of the message to reply to, or null
 * @param replyAll whether the reply goes to everybody
 * @param forwardOf the public id of the message to forward, or null
 * @param sendAt the send time, or null
 * @param terms under which its message may join its thread
 */
record NewDraft(
        OutgoingMessage message,
        @Nullable String inReplyTo,
        boolean replyAll,
        @Nullable String forwardOf,
        @Nullable Instant sendAt,
        @Nullable String clientId,
        DraftTerms terms) {
    static final int LONGEST_SUBJECT = 998; // RFC 5322 §2.1.1
    private static final int LONGEST_ID = 1_000;

    /**
     * Reads a request's body.
     *
     * @param caller must have the permission to read messages for a reply or forward, and to send drafts for a send
     *     time
     * @throws Problem {@code missing_permission}, {@code validation_error} with all faults
     */
    static NewDraft read(JsonBody body, Caller caller, Instant now) {
        String inReplyTo = messageId(body, "in_reply_to");
        String forwardOf = messageId(body, "forward_of");
        Instant sendAt = SendTime.read(body, now);
        require(caller, inReplyTo != null || forwardOf != null, sendAt != null);
        boolean replyAll = body.flag("reply_all", false);
        OutgoingMessage.Recipients recipients = new OutgoingMessage.Recipients(
                AddressMembers.read(body, "to"),
                AddressMembers.read(body, "cc"),
                AddressMembers.read(body, "bcc"),
                replyTo(body));
        checkKind(body, inReplyTo, forwardOf, recipients);
        Set<String> labels = LabelMembers.list(body, "labels");
        if (labels.size() >= Labels.MOST) {
            body.fault("labels", "A draft carries at most " + Labels.MOST + " labels, scheduled or sent among them");
        }
        String subject = subject(body);
        String text = body.string("text").multiline().optional();
        String html = body.string("html").multiline().optional();
        List<OutgoingAttachment> attachments = AttachmentMembers.read(body, "attachments");
        String clientId = ClientIds.read(body);
        DraftTerms terms = DraftTerms.NONE.read(body);
        terms.check(body, inReplyTo != null, !recipients.to().isEmpty());
        body.check();
        return new NewDraft(
                new OutgoingMessage(
                        recipients,
                        subject,
                        new OutgoingMessage.Body(text, html, attachments),
                        new OutgoingMessage.Options(labels, List.of(), false),
                        OutgoingMessage.ThreadReferences.NEW),
                inReplyTo,
                replyAll,
                forwardOf,
                sendAt,
                clientId,
                terms);
    }

    private static void require(Caller caller, boolean reads, boolean sends) {
        if (reads) {
            caller.require(Permission.MESSAGE_READ);
        }
        if (sends) {
            caller.require(Permission.DRAFT_SEND);
        }
    }

    /** The addresses for Reply-To. */
    static List<MailAddress> replyTo(JsonBody body) {
        List<MailAddress> addresses = AddressMembers.read(body, "reply_to");
        if (addresses.size() > OutgoingMessage.MOST_RECIPIENTS) {
            body.fault("reply_to", "reply_to has at most " + OutgoingMessage.MOST_RECIPIENTS + " addresses");
        }
        return addresses;
    }

    private static void checkKind(
            JsonBody body,
            @Nullable String inReplyTo,
            @Nullable String forwardOf,
            OutgoingMessage.Recipients recipients) {
        boolean replyAll = body.flag("reply_all", false);
        if (inReplyTo != null && forwardOf != null) {
            body.fault("forward_of", "Give either in_reply_to or forward_of");
        }
        if (replyAll && inReplyTo == null) {
            body.fault("reply_all", "reply_all goes with in_reply_to");
        }
        boolean named = !recipients.to().isEmpty()
                || !recipients.cc().isEmpty()
                || !recipients.bcc().isEmpty();
        if (replyAll && named) {
            body.fault("reply_all", "reply_all goes without to, cc and bcc");
        }
    }

    /** A message's public id; its angle brackets may be left out (mail.md §1.2). */
    private static @Nullable String messageId(JsonBody body, String member) {
        String id = body.string(member).max(LONGEST_ID).optional();
        return id == null || id.startsWith("<") ? id : "<" + id + ">";
    }

    /** The subject of a draft; a tab in it is a space. */
    static @Nullable String subject(JsonBody body) {
        return body.string("subject").max(LONGEST_SUBJECT).tabsAsSpaces().optional();
    }
}
