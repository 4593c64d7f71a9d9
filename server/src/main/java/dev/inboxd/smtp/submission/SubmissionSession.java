package dev.inboxd.smtp.submission;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.WriteGate;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.id.Digests;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.sending.SendOrigin;
import dev.inboxd.sending.compose.SubmittedMessage;
import dev.inboxd.sending.idempotency.Idempotency;
import dev.inboxd.sending.idempotency.IdempotencyKey;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.smtp.server.Envelope;
import dev.inboxd.smtp.server.MailHandler;
import dev.inboxd.smtp.server.MessageMemory;
import dev.inboxd.smtp.server.Peer;
import dev.inboxd.smtp.server.Spool;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes the mail of one submission session, which belongs to one inbox. The API key is checked again for each message.
 */
final class SubmissionSession implements MailHandler {
    private static final SmtpReply BAD_RECIPIENT = SmtpReply.of(553, "5.1.3", "No mail can be sent to that address");

    private static final SmtpReply CROWDED =
            SmtpReply.of(452, "4.3.1", "Too many messages are being processed, try again later");

    private final ApiKeySaslAuthenticator.Parts parts;
    private final MessageMemory memory;
    private final UUID organization;
    private final UUID key;
    private final String inbox;
    private Runnable acknowledge = () -> {};

    SubmissionSession(
            ApiKeySaslAuthenticator.Parts parts, MessageMemory memory, UUID organization, UUID key, String inbox) {
        this.parts = parts;
        this.memory = memory;
        this.organization = organization;
        this.key = key;
        this.inbox = inbox;
    }

    UUID organization() {
        return organization;
    }

    UUID key() {
        return key;
    }

    /**
     * The reply when the key may no longer send. A check that fails temporarily is repeated when the message has come.
     */
    @Override
    public @Nullable SmtpReply closingReply() {
        try {
            var _ = inbox();
            return null;
        } catch (Problem ended) {
            return ended.code().status() >= 500
                    ? null
                    : SmtpReply.of(421, "4.7.0", ended.message() + "; closing connection");
        }
    }

    /**
     * Refuses an address that the API would refuse. The recipients' lists are checked for all recipients together,
     * after the content.
     */
    @Override
    public Verdict recipient(SmtpCommand.Mail mail, SmtpPath forwardPath, Peer peer) {
        try {
            AddrSpec.parse(forwardPath.address());
            return Verdict.accepted();
        } catch (AddressSyntaxException unusable) {
            return Verdict.refused(BAD_RECIPIENT);
        }
    }

    @Override
    public Outcome accept(Envelope envelope, Spool content) {
        SequencedMap<String, Object> details = new LinkedHashMap<>();
        details.put("organization_id", organization);
        details.put("key_id", key);
        return new Outcome(submit(envelope, content), details);
    }

    private SmtpReply submit(Envelope envelope, Spool content) {
        acknowledge = () -> {};
        if (!memory.acquire(content.size())) {
            return CROWDED;
        }
        try {
            Sender sender = admittedInbox();
            View view = sender.view;
            SequencedMap<String, RecipientDsn> recipients = recipients(envelope);
            List<String> addresses = List.copyOf(recipients.keySet());
            SubmittedMessage message =
                    new SubmittedMessage(addresses, dsn(envelope, recipients), trace(content), message(content));
            SendOrigin origin = sender.origin.under(AnswerTerms.answer(message.ifUnanswered(), key));
            // The reply to an equal submission may have been lost (promise P5).
            Idempotency.Execution execution = parts.idempotency()
                    .execute(
                            IdempotencyKey.unnamed(view.organization(), fingerprint(addresses, content)),
                            hook -> parts.sender().submit(view, message, origin, List.of(hook)));
            acknowledge = execution.acknowledge();
            SendResult sent = execution.sent();
            return SmtpReply.of(
                    250,
                    "2.0.0",
                    sent.draft() == null
                            ? "Queued as " + sent.messageName()
                            : "Waits for approval as " + sent.messageName());
        } catch (Problem refusal) {
            return SmtpErrors.reply(refusal);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        } finally {
            memory.release(content.size());
        }
    }

    @Override
    public void replySent() {
        acknowledge.run();
    }

    private record Sender(View view, SendOrigin origin) {}

    private Sender admittedInbox() {
        Sender sender = inbox();
        if (!parts.requestLimits().isFree()) {
            parts.requestLimits().admit(key.toString()).require();
        }
        return sender;
    }

    /**
     * The inbox. A key that was revoked, or lost the inbox or the permission, sends no more (promise P12).
     *
     * @throws Problem when the key may not send from the inbox
     */
    private Sender inbox() {
        Caller caller = parts.authentication().reauthenticate(organization, key);
        View view = parts.inboxes().narrow(caller, Level.INBOX, inbox).view();
        caller.require(Permission.MESSAGE_SEND);
        if (parts.gate().isPaused(organization)) {
            throw WriteGate.busy();
        }
        if (caller.mustPay()) {
            throw RouteTable.unpaid("Send by the API, at the address where calls are paid for.");
        }
        return new Sender(view, SendOrigin.of(caller));
    }

    /** The recipients, each once and in the API's spelling, with the DSN parameters of each. */
    private static SequencedMap<String, RecipientDsn> recipients(Envelope envelope) {
        SequencedMap<String, RecipientDsn> recipients = new LinkedHashMap<>();
        Set<String> distinct = new HashSet<>();
        for (int i = 0; i < envelope.forwardPaths().size(); i++) {
            String address =
                    AddrSpec.parse(envelope.forwardPaths().get(i).address()).toString();
            if (distinct.add(address.toLowerCase(Locale.ROOT))) {
                recipients.put(address, envelope.dsn().of(i).ascii());
            }
        }
        return recipients;
    }

    /** The DSN request; none with the null reverse-path, to which no report is sent (RFC 3461 §5.2). */
    private static DsnRequest dsn(Envelope envelope, SequencedMap<String, RecipientDsn> recipients) {
        return envelope.reversePath().isNull()
                ? DsnRequest.NONE
                : new DsnRequest(envelope.dsn().mail(), List.copyOf(recipients.values()));
    }

    /**
     * Identifies repetitions: a client that did not receive our 250 sends the same recipients and octets again, with
     * the same key and inbox.
     */
    private byte[] fingerprint(List<String> recipients, Spool content) {
        MessageDigest digest = Digests.sha256();
        String addresses = String.join("\n", recipients);
        for (String part : List.of("smtp", key.toString(), inbox, addresses, content.contentDigest())) {
            digest.update(part.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return digest.digest();
    }

    private static byte[] trace(Spool content) throws IOException {
        try (InputStream in = content.open()) {
            return in.readNBytes(content.clientStart());
        }
    }

    private static AttachmentContent message(Spool content) {
        return new AttachmentContent() {
            @Override
            public long length() {
                return content.size() - content.clientStart();
            }

            @Override
            public InputStream open() throws IOException {
                InputStream in = content.open();
                in.skipNBytes(content.clientStart());
                return in;
            }
        };
    }
}
