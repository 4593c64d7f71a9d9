package dev.inboxd.send;

import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.domain.SigningKeys;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.id.Digests;
import dev.inboxd.id.Uuid7;
import dev.inboxd.inbox.Inbox;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.label.Labels;
import dev.inboxd.link.Links;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.message.Content;
import dev.inboxd.message.Message;
import dev.inboxd.message.NewMessage;
import dev.inboxd.message.Outlines;
import dev.inboxd.message.Shown;
import dev.inboxd.message.Storing;
import dev.inboxd.submission.Submissions;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Takes a composed letter to its commit. */
public final class Sending {
    /** Numbers of the organization's clock that a send may use: one, and one for each label. */
    private static final int NUMBERS = Labels.MOST + 8;

    private final Database database;
    private final Blobs blobs;
    private final SigningKeys signingKeys;
    private final Submissions submissions;
    private final EventLog log;
    private final Links links;
    private final InstantSource clock;

    /** What sending stands on. */
    public record Parts(Database database, Blobs blobs, SigningKeys signingKeys, Submissions submissions, EventLog log,
            Links links, InstantSource clock) {}

    /**
     * What is to be sent.
     *
     * @param view narrowed to the inbox that sends
     * @param letter complete: what it answers has been taken over
     * @param companion what happens in the same transaction
     */
    public record Order(View view, Letter letter, Companion companion) {}

    /** Sending for the inboxes of a database. */
    public Sending(Parts parts) {
        this.database = parts.database;
        this.blobs = parts.blobs;
        this.signingKeys = parts.signingKeys;
        this.submissions = parts.submissions;
        this.log = parts.log;
        this.links = parts.links;
        this.clock = parts.clock;
    }

    /**
     * Sends a letter. When this returns, the message is stored and on its way.
     *
     * @throws Problem in the order of contract/mail.md §14.2; nothing is kept then
     */
    public Sent send(Order order) {
        View view = order.view;
        Inbox inbox = database.read(tx -> Inboxes.find(tx, view, Objects.requireNonNull(view.inbox())))
                .orElseThrow(() -> Problem.notFound("Inbox"));
        checkActive(inbox);
        Policy.check(database, inbox, view.organization(), order.letter);
        Instant now = clock.instant();
        String name = "<" + Uuid7.next() + "@" + inbox.domain() + ">";
        byte[] raw = composed(order.letter, inbox, name, now);
        ParsedMessage parsed = MessageParser.parse(new ByteArrayInputStream(raw));
        return store(order, new NewMessage(inbox.id(), inbox.address(), inbox.pod(), name, labels(order.letter), true,
                outline(view.organization(), order.letter, parsed, raw), parsed.body().attachments(),
                order.letter.candidates(), order.letter.conversation().thread()));
    }

    private static void checkActive(Inbox inbox) {
        if (inbox.isPaused()) {
            throw Problem.of(Code.INBOX_PAUSED, "The inbox is paused");
        }
    }

    private byte[] composed(Letter letter, Inbox inbox, String name, Instant now) {
        try {
            ComposedMessage message = Composer.compose(letter.composition(inbox, name, now));
            return signingKeys.signed(inbox.domain(), message, now);
        } catch (MalformedFieldException malformed) {
            throw FieldPaths.refusal(malformed);
        }
    }

    private static List<String> labels(Letter letter) {
        Set<String> labels = new LinkedHashSet<>(List.of(Labels.SENT));
        labels.addAll(letter.extras().labels());
        return List.copyOf(labels);
    }

    /** What was sent is shown as the caller wrote it, byte for byte (contract: mail.md §14.4). */
    private NewMessage.Outline outline(UUID organization, Letter letter, ParsedMessage parsed, byte[] raw) {
        Letter.Body body = letter.body();
        Letter.Recipients recipients = letter.recipients();
        Shown read = Shown.of(parsed);
        Shown shown = new Shown(read.headers(), read.replyTo(), read.inReplyTo(), read.references(), body.text(),
                body.html());
        Message.People people = new Message.People(parsed.addresses().from().getFirst().toString(),
                texts(recipients.to()), texts(recipients.cc()), texts(recipients.bcc()));
        return new NewMessage.Outline(people, parsed.subject(), Outlines.preview(body.text(), body.html()),
                raw.length, shown, content(organization, raw, shown.deflated()));
    }

    private Content content(UUID organization, byte[] raw, byte[] shown) {
        byte[] sha256 = Digests.sha256().digest(raw);
        if (raw.length <= Content.LARGEST_IN_DATABASE) {
            return new Content(raw, null, 0, shown, sha256);
        }
        BlobKey key = BlobKey.random(organization);
        blobs.put(key, new ByteArrayInputStream(raw), raw.length);
        return new Content(null, key.name(), 0, shown, sha256);
    }

    private static List<String> texts(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }

    private Sent store(Order order, NewMessage fresh) {
        View all = View.of(order.view.organization());
        return database.write(all.organization(), NUMBERS, (tx, opening) -> {
            Storing storing = new Storing(tx, all, log, links);
            order.companion.look(opening, all);
            RoundTrip.Pending<Inbox> inbox = Inboxes.look(opening, all, List.of(fresh.inbox()));
            RoundTrip.Pending<MailThread> thread = fresh.thread() == null ? RoundTrip.Pending.none()
                    : Threads.look(opening, all, fresh.thread());
            storing.wish(fresh.inbox(), fresh.candidates());
            storing.look(opening);
            opening.run();
            Sent before = order.companion.decide();
            if (before != null) {
                return before;
            }
            checkActive(inbox.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Inbox")));
            thread.rows().forEach(storing::know);
            Message message = storing.add(fresh);
            Sent sent = new Sent(message.name(), message.place().thread());
            RoundTrip writes = tx.roundTrip();
            storing.writeWith(writes);
            submissions.queueWith(tx, writes, all.organization(), new Submissions.NewSubmission(message.id(),
                    fresh.inbox(), fresh.inboxName(), null, order.letter.envelope()));
            order.companion.writeWith(writes, all, sent);
            writes.run();
            return sent;
        });
    }
}
