package dev.inboxd.queue;

import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.tenant.domain.SigningKeys;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** Mail of the service itself to a human, such as a one-time code. It leaves as all mail does: queued, signed, retried. */
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

    /** What to tell whom. */
    public record SystemMessage(String to, String subject, String text) {}

    /** A letter composed and signed, ready to be queued; made before the transaction, which must not wait for it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record SignedMail(String to, byte[] raw) {}

    /** Composes and signs a letter. */
    public SignedMail seal(SystemMessage letter) {
        Instant now = clock.instant();
        Composition composition = new Composition(
                new Composition.Addresses(
                        new Mailbox("inboxd", "no-reply@" + domain),
                        List.of(new Mailbox(null, letter.to())),
                        List.of(),
                        List.of()),
                new Composition.Identification("<" + Uuid7.next() + "@" + domain + ">", List.of(), List.of()),
                letter.subject(),
                now,
                List.of(new CustomHeaderField("Auto-Submitted", "auto-generated")), // RFC 3834 §5
                new Composition.Body(letter.text(), null, List.of()));
        ComposedMessage message = Composer.compose(composition);
        return new SignedMail(letter.to(), signingKeys.signed(domain, message, now));
    }

    /** Whether a letter to that address was handed over, or still may be. */
    public static boolean mayHaveReached(Tx tx, UUID organization, String recipient) {
        return tx.sql(View.of(organization), """
                select 1 as one from submission s join submission_recipient r
                    on r.organization_id = s.organization_id and r.submission_id = s.submission_id
                where s.organization_id = {organization} and s.inbox_id is null and s.message_id is null
                  and r.recipient = :recipient and r.state <> 'bounced' limit 1""")
                .bind("recipient", recipient)
                .first(row -> row.integer("one"))
                .isPresent();
    }

    /** Queues a letter in the caller's transaction; it bounces to postmaster. */
    public void queue(Tx tx, UUID organization, SignedMail letter) {
        RoundTrip trip = tx.roundTrip();
        submissions.appendTo(
                tx,
                trip,
                organization,
                new SubmissionQueue.NewSubmission(
                        null, null, "postmaster@" + domain, letter.raw(), List.of(letter.to())));
        trip.run();
    }
}
