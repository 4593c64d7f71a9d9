package dev.inboxd.send;

import dev.inboxd.database.Claim;
import dev.inboxd.database.Database;
import dev.inboxd.database.Kept;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.View;
import dev.inboxd.error.Code;
import dev.inboxd.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.id.Uuid7;
import dev.inboxd.inbox.Inbox;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.label.Labels;
import dev.inboxd.link.Links;
import dev.inboxd.lists.Direction;
import dev.inboxd.lists.Screening;
import dev.inboxd.message.Content;
import dev.inboxd.message.LargeMessages;
import dev.inboxd.message.Message;
import dev.inboxd.message.Messages;
import dev.inboxd.message.RecentlyShown;
import dev.inboxd.message.Shown;
import dev.inboxd.message.Storing;
import dev.inboxd.rate.StorageQuota;
import dev.inboxd.submission.Submissions;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The one commit of a message that leaves: its record, its place in the queue, and what happens with it (P2, P5). */
final class Dispatch {
    /** Numbers of the organization's clock that a send may use: one, and one for each label. */
    private static final int NUMBERS = Labels.MOST + 8;

    private final Database database;
    private final LargeMessages blobs;
    private final Submissions submissions;
    private final EventLog log;
    private final Links links;
    private final SendQuota quota;
    private final StorageQuota room;
    private final Breaker breaker;
    private final RecentlyShown recent;

    Dispatch(Sending.Parts parts) {
        this.database = parts.database();
        this.blobs = parts.blobs();
        this.submissions = parts.submissions();
        this.log = parts.log();
        this.links = parts.links();
        this.quota = parts.quota();
        this.room = parts.room();
        this.breaker = parts.breaker();
        this.recent = parts.recent();
    }

    /** Refuses what a paused inbox would send. */
    static void checkActive(Inbox inbox) {
        if (inbox.isPaused()) {
            throw Problem.of(Code.INBOX_PAUSED, "The inbox is paused");
        }
    }

    /**
     * Stores and queues it.
     *
     * @param companion what happens in the same transaction
     */
    Sent store(UUID organization, Leaving leaving, Companion companion) {
        try {
            return store(organization, leaving, content(organization, leaving, true), companion);
        } catch (LargeMessages.NoLongerShared deleted) {
            return store(organization, leaving, content(organization, leaving, false), companion);
        }
    }

    private Content content(UUID organization, Leaving leaving, boolean sharing) {
        SignedMail mail = leaving.mail();
        Shown.Stored shown = leaving.look().shown().stored();
        if (mail.length() <= Content.LARGEST_IN_DATABASE) {
            return new Content(mail.bytes(), null, shown.size(), shown, mail.sha256());
        }
        room.require(database, organization, Kept.message(mail.length()));
        try {
            return blobs.keep(organization, mail::open, mail.length(), new LargeMessages.Kept(shown, mail.sha256()),
                    sharing);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private Sent store(UUID organization, Leaving leaving, Content content, Companion besides) {
        byte[] raw = content.raw();
        try (Submissions.Handover handover = raw == null ? null : submissions.handover(
                new Submissions.AtHand(organization, raw, content.sha256()), leaving.envelope())) {
            return store(organization, leaving, content, besides, handover);
        }
    }

    private Sent store(UUID organization, Leaving leaving, Content content, Companion besides,
            Submissions.@Nullable Handover handover) {
        View all = View.of(organization);
        UUID from = leaving.inbox().id();
        Companion companion = besides.and(quota.companion(from));
        Kept more = Kept.message(leaving.mail().length());
        return database.write(organization, new Claim(NUMBERS, more), (tx, opening) -> {
            Storing storing = new Storing(tx, all, log, links);
            companion.look(opening, all);
            RoundTrip.Pending<Inbox> inbox = Inboxes.look(opening, all, List.of(from));
            RoundTrip.Pending<MailThread> thread = leaving.thread() == null ? RoundTrip.Pending.none()
                    : Threads.look(opening, all, leaving.thread());
            RoundTrip.Pending<Messages.Taken> taken = !leaving.named() ? RoundTrip.Pending.none()
                    : Messages.lookTaken(opening, all, List.of(new Messages.Wanted(from, leaving.name())));
            storing.wish(from, leaving.candidates());
            storing.wish(content);
            storing.look(opening);
            Screening screening = new Screening();
            screening.ask(from, leaving.envelope());
            screening.look(opening, all, Direction.SEND);
            opening.run();
            Sent before = companion.decide();
            if (before != null) {
                RoundTrip unused = tx.roundTrip();
                tx.settle(unused, all, Kept.NONE);
                unused.run();
                return before;
            }
            room.require(tx.kept(), tx.kept().plus(more));
            checkActive(inbox.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Inbox")));
            Policy.check(tx, all, screening, from, leaving.envelope());
            thread.rows().forEach(storing::know);
            Message message = storing.add(leaving.record(freeName(leaving, taken.rows()), content));
            if (leaving.mayJoin()) {
                breaker.check(tx, all, message);
            }
            Sent sent = new Sent(message.name(), message.place().thread());
            RoundTrip writes = tx.roundTrip();
            storing.writeWith(writes);
            submissions.queueWith(tx, writes, organization, new Submissions.NewSubmission(message.id(),
                    from, leaving.inbox().address(), null, leaving.envelope(), leaving.dsn()), handover);
            companion.writeWith(writes, all, sent);
            tx.afterCommit(() -> recent.remember(Map.of(message.id(), leaving.look().shown())));
            writes.runAndCommit();
            return sent;
        });
    }

    /** If its sender used the Message-ID before, the record gets a name of its own, as received mail does (ruling 3). */
    private static String freeName(Leaving leaving, List<Messages.Taken> taken) {
        return taken.isEmpty() ? leaving.name() : "<" + Uuid7.next() + "@" + leaving.inbox().domain() + ">";
    }
}
