package dev.inboxd.calendar.invitation;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.log.LogLine;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.CalendarPart;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.SendCommand;
import dev.inboxd.sending.SendOrigin;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sends the mails of changes, each recipient's in a commit of its own that also takes him off the list: whatever fails
 * in between, nobody gets two. Its Message-ID is fixed by the change and the recipient (ruling 77).
 */
final class InvitationDelivery implements Jobs.Handler {
    /** The kind of the job; its subject is the id of the change. */
    static final String KIND = "calendar.mail";

    private final Database database;
    private final MailSender sender;

    InvitationDelivery(Database database, MailSender sender) {
        this.database = database;
        this.sender = sender;
    }

    @Override
    public boolean run(UUID organization, String operation) {
        View all = View.of(organization);
        for (InvitationMail mail : database.read(tx -> InvitationSql.list(tx, all, operation))) {
            mail.recipients().forEach(address -> send(organization, mail, address));
        }
        database.write(organization, tx -> {
            InvitationSql.delete(tx, all, operation);
            return 0;
        });
        return true;
    }

    private void send(UUID organization, InvitationMail mail, String address) {
        InvitationSql.Recipient recipient = new InvitationSql.Recipient(mail.operation(), mail.method(), address);
        View inbox = View.of(organization).inbox(mail.inbox());
        try {
            SendCommand command = new SendCommand(
                    inbox,
                    null,
                    message(mail, address),
                    List.of(new RecipientHook(recipient)),
                    id(organization, recipient),
                    new SendOrigin(
                            organization,
                            mail.author().key(),
                            mail.author().needsApproval(),
                            mail.author().keys(),
                            null,
                            null,
                            AnswerTerms.NONE));
            sender.send(() -> command);
            outcome(organization, mail, "sent");
        } catch (Problem refusal) {
            if (isTemporary(refusal.code()) || isStopped(organization, mail)) {
                throw refusal; // the job is tried again
            }
            database.write(organization, tx -> {
                InvitationSql.remove(tx, View.of(organization), recipient);
                return 0;
            });
            outcome(organization, mail, "failed: " + refusal.code().wireName());
        }
    }

    /** Mail of a stopped inbox waits for its turn; that of a paused one is not sent. */
    private boolean isStopped(UUID organization, InvitationMail mail) {
        return database.read(tx -> Inboxes.find(tx, View.of(organization), mail.inbox()))
                .filter(Inbox::isHeldByStop)
                .isPresent();
    }

    private static boolean isTemporary(ErrorCode code) {
        return code.status() >= 500 || code == ErrorCode.RATE_LIMIT_EXCEEDED || code == ErrorCode.CONFLICT;
    }

    private static OutgoingMessage message(InvitationMail mail, String address) {
        List<String> answers = mail.answers() == null ? List.of() : List.of(mail.answers());
        byte[] calendar = mail.calendar().getBytes(StandardCharsets.UTF_8);
        return new OutgoingMessage(
                new OutgoingMessage.Recipients(List.of(mailbox(address)), List.of(), List.of(), List.of()),
                mail.text().subject(),
                new OutgoingMessage.Body(
                        mail.text().body(),
                        null,
                        List.of(new OutgoingAttachment(
                                "invite.ics", "application/ics", false, null, AttachmentContent.of(calendar))),
                        new CalendarPart(mail.method(), mail.calendar())),
                OutgoingMessage.Options.NONE,
                new OutgoingMessage.ThreadReferences(answers, answers, null));
    }

    private static MailAddress mailbox(String address) {
        try {
            return MailAddress.parse(address);
        } catch (AddressSyntaxException refused) {
            throw Problem.invalid("attendees", "The address of an attendee cannot be written to");
        }
    }

    private static UUID id(UUID organization, InvitationSql.Recipient recipient) {
        String name =
                organization + "\n" + recipient.operation() + "\n" + recipient.method() + "\n" + recipient.address();
        try {
            ByteBuffer digest =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
            // RFC 9562 §5.8: version 8, of bits of our own.
            return new UUID(
                    (digest.getLong() & 0xFFFFFFFFFFFF0FFFL) | 0x8000L,
                    (digest.getLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new AssertionError(everyJavaHasIt);
        }
    }

    private static void outcome(UUID organization, InvitationMail mail, String outcome) {
        LogLine.of("calendar mail")
                .with("organization_id", organization)
                .with("inbox_id", mail.inbox())
                .with("operation", mail.operation())
                .with("method", mail.method())
                .with("outcome", outcome)
                .write();
    }

    /** Takes a recipient off the list in the commit of his mail. */
    private static final class RecipientHook implements CommitHook {
        private final InvitationSql.Recipient recipient;
        private RoundTrip.Result<InvitationSql.Recipient> waiting = RoundTrip.Result.none();

        RecipientHook(InvitationSql.Recipient recipient) {
            this.recipient = recipient;
        }

        @Override
        public Set<Object> only() {
            return Set.of(recipient);
        }

        @Override
        public void prefetch(RoundTrip opening, View all) {
            waiting = InvitationSql.prefetch(opening, all, recipient);
        }

        @Override
        public @Nullable SendResult decide() {
            if (!waiting.rows().contains(recipient)) {
                throw Problem.notFound("Mail"); // another node has sent it
            }
            return null;
        }

        @Override
        public void appendTo(RoundTrip writes, View all, SendResult sent) {
            InvitationSql.appendRemove(writes, all, recipient);
        }
    }
}
