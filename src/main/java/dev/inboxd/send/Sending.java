package dev.inboxd.send;

import dev.inboxd.attachment.AttachmentFiles;
import dev.inboxd.attachment.Fetching;
import dev.inboxd.attachment.MediaTypes;
import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.domain.Senders;
import dev.inboxd.domain.SigningKeys;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.feedback.Unsubscribes;
import dev.inboxd.id.Uuid7;
import dev.inboxd.inbox.Inbox;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.label.Labels;
import dev.inboxd.link.Links;
import dev.inboxd.lists.Direction;
import dev.inboxd.lists.Screening;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.MalformedFieldException;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.message.Content;
import dev.inboxd.message.LargeMessages;
import dev.inboxd.message.Message;
import dev.inboxd.message.NewMessage;
import dev.inboxd.message.Outlines;
import dev.inboxd.message.Shown;
import dev.inboxd.message.Storing;
import dev.inboxd.submission.Submissions;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import dev.inboxd.tracking.Pixels;
import dev.inboxd.tracking.Tracked;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
    private final LargeMessages blobs;
    private final Senders senders;
    private final Submissions submissions;
    private final EventLog log;
    private final Links links;
    private final Pixels pixels;
    private final Unsubscribes unsubscribes;
    private final Fetching fetching;
    private final SendQuota quota;
    private final InstantSource clock;
    private final long largest;

    /**
     * What sending stands on.
     *
     * @param largest octets that a message may have
     */
    public record Parts(Database database, LargeMessages blobs, Senders senders, Submissions submissions,
            EventLog log, Links links, Pixels pixels, Unsubscribes unsubscribes, Fetching fetching, SendQuota quota, InstantSource clock,
            long largest) {}

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
        this.senders = parts.senders;
        this.submissions = parts.submissions;
        this.log = parts.log;
        this.links = parts.links;
        this.pixels = parts.pixels;
        this.unsubscribes = parts.unsubscribes;
        this.fetching = parts.fetching;
        this.quota = parts.quota;
        this.clock = parts.clock;
        this.largest = parts.largest;
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
        DkimSigner signer = senders.of(new Senders.Sender(view.organization(), inbox.pod(), inbox.domain()));
        Policy.check(database, inbox, view.organization(), order.letter);
        Instant now = clock.instant();
        Tracked self = new Tracked(view.organization(), inbox.id(), Uuid7.next());
        String name = self.name(inbox.domain());
        Letter leaving = OneClick.offered(leaving(order.letter, inbox, self), unsubscribes, view.organization());
        try (AttachmentFiles files = fetching.fetch(order.letter.body().attachments())) {
            SignedMail mail = composed(leaving.composition(inbox, name, now, files.attachments()), signer, now);
            Ready ready = new Ready(inbox, name, mail, parsed(mail));
            try {
                return store(order, fresh(order, ready, true));
            } catch (LargeMessages.NoLongerShared deleted) {
                return store(order, fresh(order, ready, false));
            }
        }
    }

    /** A message that only has to be stored. */
    private record Ready(Inbox inbox, String name, SignedMail mail, ParsedMessage parsed) {}

    private NewMessage fresh(Order order, Ready ready, boolean sharing) {
        Inbox inbox = ready.inbox;
        return new NewMessage(inbox.id(), inbox.address(), inbox.pod(), ready.name, labels(order.letter), true,
                outline(order, ready, sharing), ready.parsed.body().attachments(), order.letter.candidates(),
                order.letter.conversation().thread());
    }

    private static void checkActive(Inbox inbox) {
        if (inbox.isPaused()) {
            throw Problem.of(Code.INBOX_PAUSED, "The inbox is paused");
        }
    }

    /**
     * The letter as it leaves: with a pixel, when it has HTML and its sender wants to know of its opening. What is
     * stored and shown stays without it.
     */
    private Letter leaving(Letter letter, Inbox inbox, Tracked self) {
        String html = letter.body().html();
        if (!letter.extras().trackOpens() || html == null) {
            return letter;
        }
        String marked = pixels.marked(html, inbox.domain(), self);
        if (marked == null) {
            throw Problem.of(Code.UNPROCESSABLE, "Opens can be tracked only from a domain of your own",
                    "Send from an inbox at a domain with tracking_enabled, or leave track_opens out.");
        }
        return letter.saying(new Letter.Body(letter.body().text(), marked, letter.body().attachments()));
    }

    private SignedMail composed(Composition composition, DkimSigner signer, Instant now) {
        try {
            ComposedMessage message = Composer.compose(composition);
            checkSize(composition, message);
            return new SignedMail(SigningKeys.signature(signer, message, now), message);
        } catch (MalformedFieldException malformed) {
            throw FieldPaths.refusal(malformed);
        }
    }

    /** A request has limits of its own, but what a forward passes on comes on top (contract: mail.md §9.1). */
    private void checkSize(Composition composition, ComposedMessage message) {
        if (composition.body().attachments().size() > AttachmentMembers.MOST) {
            throw Problem.of(Code.UNPROCESSABLE, "A message has at most " + AttachmentMembers.MOST
                    + " attachments, those of a forwarded message among them", "Send some of them in a message of their own.");
        }
        if (message.length() > largest) {
            throw Problem.of(Code.UNPROCESSABLE, "The message would have " + message.length() + " octets of at most "
                    + largest, "Attach less, or pass on less.");
        }
    }

    private static ParsedMessage parsed(SignedMail mail) {
        try (InputStream in = mail.open()) {
            return MessageParser.parse(in, MediaTypes::received);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> labels(Letter letter) {
        Set<String> labels = new LinkedHashSet<>(List.of(Labels.SENT));
        labels.addAll(letter.extras().labels());
        return List.copyOf(labels);
    }

    /** What was sent is shown as the caller wrote it, byte for byte (contract: mail.md §14.4). */
    private NewMessage.Outline outline(Order order, Ready ready, boolean sharing) {
        ParsedMessage parsed = ready.parsed;
        Letter.Body body = order.letter.body();
        Letter.Recipients recipients = order.letter.recipients();
        Shown read = Shown.of(parsed);
        Shown shown = new Shown(read.headers(), read.replyTo(), read.inReplyTo(), read.references(), body.text(),
                body.html(), null);
        Message.People people = new Message.People(parsed.addresses().from().getFirst().toString(),
                texts(recipients.to()), texts(recipients.cc()), texts(recipients.bcc()));
        return new NewMessage.Outline(people, parsed.subject(), Outlines.preview(shown), ready.mail.length(), shown,
                content(order.view.organization(), ready.mail, shown.deflated(), sharing));
    }

    private Content content(UUID organization, SignedMail mail, byte[] shown, boolean sharing) {
        if (mail.length() <= Content.LARGEST_IN_DATABASE) {
            return new Content(mail.bytes(), null, 0, shown, mail.sha256());
        }
        try {
            return blobs.keep(organization, mail::open, mail.length(), new LargeMessages.Kept(shown, mail.sha256()),
                    sharing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> texts(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }

    private Sent store(Order order, NewMessage fresh) {
        View all = View.of(order.view.organization());
        Companion companion = order.companion.and(quota.companion());
        return database.write(all.organization(), NUMBERS, (tx, opening) -> {
            Storing storing = new Storing(tx, all, log, links);
            companion.look(opening, all);
            RoundTrip.Pending<Inbox> inbox = Inboxes.look(opening, all, List.of(fresh.inbox()));
            RoundTrip.Pending<MailThread> thread = fresh.thread() == null ? RoundTrip.Pending.none()
                    : Threads.look(opening, all, fresh.thread());
            storing.wish(fresh.inbox(), fresh.candidates());
            storing.wish(fresh.outline().content());
            storing.look(opening);
            Screening screening = new Screening();
            screening.ask(fresh.inbox(), order.letter.envelope());
            screening.look(opening, all, Direction.SEND);
            opening.run();
            Sent before = companion.decide();
            if (before != null) {
                return before;
            }
            checkActive(inbox.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Inbox")));
            Policy.check(tx, all, screening, fresh, order.letter.envelope());
            thread.rows().forEach(storing::know);
            Message message = storing.add(fresh);
            Sent sent = new Sent(message.name(), message.place().thread());
            RoundTrip writes = tx.roundTrip();
            storing.writeWith(writes);
            submissions.queueWith(tx, writes, all.organization(), new Submissions.NewSubmission(message.id(),
                    fresh.inbox(), fresh.inboxName(), null, order.letter.envelope()));
            companion.writeWith(writes, all, sent);
            writes.run();
            return sent;
        });
    }
}
