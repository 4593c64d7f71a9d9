package dev.inboxd.send;

import dev.inboxd.access.Caller;
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
    private final SendMemory memory;
    private final InstantSource clock;

    /** What sending stands on. */
    public record Parts(Database database, Blobs blobs, SigningKeys signingKeys, Submissions submissions, EventLog log,
            Links links, SendMemory memory, InstantSource clock) {}

    Sending(Parts parts) {
        this.database = parts.database;
        this.blobs = parts.blobs;
        this.signingKeys = parts.signingKeys;
        this.submissions = parts.submissions;
        this.log = parts.log;
        this.links = parts.links;
        this.memory = parts.memory;
        this.clock = parts.clock;
    }

    /**
     * Sends a letter of the view's inbox.
     *
     * @throws Problem in the order of contract/mail.md §14.2; nothing is kept then
     */
    SendMemory.Ended send(Caller caller, View view, Letter letter, SendMemory.Claim claim) {
        Inbox inbox = database.read(tx -> Inboxes.find(tx, view, Objects.requireNonNull(view.inbox())))
                .orElseThrow(() -> Problem.notFound("Inbox"));
        checkActive(inbox);
        Policy.check(database, caller, letter);
        Instant now = clock.instant();
        String name = "<" + Uuid7.next() + "@" + inbox.domain() + ">";
        byte[] raw = composed(letter, inbox, name, now);
        ParsedMessage parsed = MessageParser.parse(new ByteArrayInputStream(raw));
        return store(view, new NewMessage(inbox.id(), inbox.address(), inbox.pod(), name, labels(letter), true,
                outline(caller.organization(), letter, parsed, raw), parsed.body().attachments(), letter.candidates(),
                letter.thread()), letter, claim);
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
            throw Problem.invalid(malformed.field(), malformed.field() + " " + malformed.reason());
        }
    }

    private static List<String> labels(Letter letter) {
        Set<String> labels = new LinkedHashSet<>(List.of(Labels.SENT));
        labels.addAll(letter.request().labels());
        return List.copyOf(labels);
    }

    /** What was sent is shown as the caller wrote it, byte for byte (contract: mail.md §14.4). */
    private NewMessage.Outline outline(UUID organization, Letter letter, ParsedMessage parsed, byte[] raw) {
        SendRequest request = letter.request();
        Shown read = Shown.of(parsed);
        Shown shown = new Shown(read.headers(), read.replyTo(), read.inReplyTo(), read.references(), request.text(),
                request.html());
        Message.People people = new Message.People(parsed.addresses().from().getFirst().toString(),
                texts(letter.to()), texts(letter.cc()), texts(letter.bcc()));
        return new NewMessage.Outline(people, parsed.subject(), Outlines.preview(shown),
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

    private SendMemory.Ended store(View view, NewMessage fresh, Letter letter, SendMemory.Claim claim) {
        View all = View.of(view.organization());
        return database.write(view.organization(), NUMBERS, (tx, opening) -> {
            Storing storing = new Storing(tx, all, log, links);
            RoundTrip.Pending<SendMemory.Kept> kept = memory.look(opening, all, claim);
            RoundTrip.Pending<Inbox> inbox = Inboxes.look(opening, all, List.of(fresh.inbox()));
            RoundTrip.Pending<MailThread> thread = letter.thread() == null ? RoundTrip.Pending.none()
                    : Threads.look(opening, all, letter.thread());
            storing.wish(fresh.inbox(), fresh.candidates());
            storing.look(opening);
            opening.run();
            SendMemory.Ended before = memory.decide(claim, kept);
            if (before != null) {
                return before;
            }
            checkActive(inbox.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Inbox")));
            thread.rows().forEach(storing::know);
            Message message = storing.add(fresh);
            SendMemory.Answer answer = new SendMemory.Answer(message.name(), message.place().thread());
            RoundTrip writes = tx.roundTrip();
            storing.writeWith(writes);
            submissions.queueWith(tx, writes, view.organization(), new Submissions.NewSubmission(message.id(),
                    fresh.inbox(), fresh.inboxName(), null, letter.envelope()));
            memory.completeWith(writes, all, claim, answer);
            writes.run();
            return new SendMemory.Ended(answer, claim.fence());
        });
    }
}
