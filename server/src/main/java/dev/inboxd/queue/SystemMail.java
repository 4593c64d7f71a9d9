package dev.inboxd.queue;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.tenant.domain.signing.SigningKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** Mail of the service itself to a human, such as a one-time code. It is queued, signed and retried as all mail. */
public final class SystemMail {
    private final SubmissionQueue submissions;
    private final SigningKeys signingKeys;
    private final String domain;
    private final InstantSource clock;

    /** Mail from {@code no-reply} at that domain. */
    public SystemMail(SubmissionQueue submissions, SigningKeys signingKeys, String domain, InstantSource clock) {
        this.submissions = submissions;
        this.signingKeys = signingKeys;
        this.domain = domain;
        this.clock = clock;
    }

    /** A mail to be composed. */
    public record SystemMessage(String to, String subject, String text) {}

    /** A composed and signed mail. Composed before the transaction, which must not wait for the signature. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record SignedMail(String to, byte[] raw) {}

    /** Composes and signs a mail. */
    public SignedMail seal(SystemMessage content) {
        Instant now = clock.instant();
        Composition composition = new Composition(
                new Composition.Addresses(
                        new Mailbox("inboxd", "no-reply@" + domain),
                        List.of(new Mailbox(null, content.to())),
                        List.of(),
                        List.of()),
                new Composition.Identification("<" + Uuid7.next() + "@" + domain + ">", List.of(), List.of()),
                content.subject(),
                now,
                List.of(new CustomHeaderField("Auto-Submitted", "auto-generated")), // RFC 3834 §5
                new Composition.Body(content.text(), null, List.of()));
        ComposedMessage message = Composer.compose(composition);
        return new SignedMail(content.to(), signingKeys.signed(domain, message, now));
    }

    /** Whether a mail to that address was delivered, or may still be. */
    public static boolean mayHaveReached(Tx tx, UUID organization, String recipient) {
        String select = """
                select 1 as one from submission s join submission_recipient r
                    on r.organization_id = s.organization_id and r.submission_id = s.submission_id
                where s.organization_id = {organization} and s.inbox_id is null and s.message_id is null
                  and r.recipient = :recipient and r.state <> 'bounced' limit 1""";
        return tx.sql(View.of(organization), select)
                .bind("recipient", recipient)
                .exists();
    }

    /** Queues a mail in the caller's transaction; it bounces to postmaster. */
    public void queue(Tx tx, UUID organization, SignedMail mail) {
        RoundTrip trip = tx.roundTrip();
        submissions.appendTo(
                tx,
                trip,
                organization,
                new SubmissionQueue.NewSubmission(null, null, "postmaster@" + domain, mail.raw(), List.of(mail.to())));
        trip.run();
    }
}
