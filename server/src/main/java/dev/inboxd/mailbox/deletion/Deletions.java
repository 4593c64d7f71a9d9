package dev.inboxd.mailbox.deletion;

import dev.inboxd.base.access.RestrictedLabel;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageEvents;
import dev.inboxd.mailbox.message.MessageReads;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadTotalsQuery;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.mailbox.thread.WaitingSql;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Deletes messages and threads for good (mail.md §6.7, §7; promise P19). A long thread is deleted in slices, so that no
 * writer waits long for the organization's clock, and a job finishes what a crash interrupted.
 */
public final class Deletions implements Jobs.Handler {
    /** The job that removes the messages of a deleted thread. */
    public static final String JOB = "thread.erase";

    /** Sequence numbers of the organization's clock that a slice may use; a slice ends before it exceeds them. */
    private static final int NUMBERS = 4_096;
    /** The same for one message: one number, and one for each of its labels. */
    private static final int NUMBERS_OF_ONE = 256;

    /** How long a request deletes slices; then the job goes on alone. */
    private static final long REQUEST_NANOS = Duration.ofSeconds(20).toNanos();

    private final Database database;
    private final Blobs blobs;
    private final EventLog log;
    private final Jobs jobs;

    /** Deletes from a database and a blob store. */
    public Deletions(Database database, Blobs blobs, EventLog log, Jobs jobs) {
        this.database = database;
        this.blobs = blobs;
        this.log = log;
        this.jobs = jobs;
        jobs.handle(JOB, this);
    }

    /** The blobs to delete after a slice, whether the thread has more messages, and of the first the inbox. */
    private record DeletedSlice(
            List<String> blobs, boolean more, @Nullable String inbox) {
        DeletedSlice(List<String> blobs, boolean more) {
            this(blobs, more, null);
        }

        DeletedSlice {
            blobs = List.copyOf(blobs);
        }
    }

    /**
     * Deletes a message and updates its thread; a thread without messages is deleted too.
     *
     * @param held whether it must be held still, as somebody who decided about it has seen it
     * @throws Problem {@code not_found}, {@code conflict} for one that must be held and is not
     */
    public void message(View view, String name, boolean held) {
        View all = View.of(view.organization());
        List<String> garbage = database.write(view.organization(), NUMBERS_OF_ONE, (tx, opening) -> {
            RoundTrip.Result<Message> messages = MessageReads.prefetch(opening, view, List.of(name));
            opening.run();
            Message message = messages.rows().stream().findFirst().orElseThrow(() -> Problem.notFound("Message"));
            if (held && !message.isHeld()) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The mail is not held any more",
                        "Somebody released it. Open it in its inbox.");
            }
            return erase(tx, all, List.of(message)).rows();
        });
        deleteBlobs(view.organization(), garbage);
    }

    /**
     * Deletes some messages that people threw away, the oldest first.
     *
     * @param retention how long they stay in the trash
     * @return how many were deleted
     */
    int trashed(UUID organization, Duration retention, int most) {
        View all = View.of(organization);
        AtomicInteger deleted = new AtomicInteger();
        List<String> garbage = database.write(organization, NUMBERS, (tx, opening) -> {
            opening.run();
            List<UUID> old = tx.sql(
                            all,
                            "select m.message_id from message m where m.organization_id = {organization}"
                                    + " and m.trashed_at < {now} - make_interval(secs => :kept)"
                                    + " and (m.restricted & " + RestrictedLabel.TRASH.bit() + ") <> 0"
                                    + " order by m.trashed_at limit :most")
                    .bind("kept", (double) retention.toSeconds())
                    .bind("most", most)
                    .list(row -> row.uuid("message_id"));
            List<Message> messages = MessageReads.byKey(tx, all, old);
            deleted.set(messages.size());
            return messages.isEmpty() ? List.of() : erase(tx, all, messages).rows();
        });
        deleteBlobs(organization, garbage);
        return deleted.get();
    }

    /** Deletes messages, and updates their threads; the caller deletes the blobs that are left. */
    private RoundTrip.Result<String> erase(Tx tx, View all, List<Message> messages) {
        EventLog.EventBatch events = log.appending(tx, all);
        ThreadTotalsQuery totals = new ThreadTotalsQuery(all);
        Set<UUID> threads = new LinkedHashSet<>();
        messages.forEach(message -> threads.add(message.place().thread()));
        RoundTrip trip = tx.roundTrip();
        RoundTrip.Result<String> orphans =
                Erasure.appendTo(trip, all, messages.stream().map(Message::id).toList());
        totals.prefetch(trip, threads);
        trip.run();
        Set<UUID> ended = new HashSet<>();
        Instant at = Instant.EPOCH;
        for (Message message : messages) {
            UUID thread = message.place().thread();
            at = events.add(removed(message, totals.isEmpty(thread) && ended.add(thread)))
                    .at();
        }
        Threads.appendTo(trip, all, List.of(), totals.changed(trip, at));
        WaitingSql.appendRecount(trip, all, threads);
        events.appendTo(trip);
        trip.run();
        return orphans;
    }

    /**
     * Deletes a thread with all its messages. No message joins the thread from the first commit on. When this method
     * returns within 20 seconds, its messages are deleted; a longer deletion is finished by a job.
     *
     * @return the public id of its inbox; null when the inbox is being deleted
     * @throws Problem {@code not_found}
     */
    @Nullable
    public String thread(View view, UUID id) {
        UUID organization = view.organization();
        DeletedSlice slice = database.write(organization, NUMBERS, (tx, opening) -> {
            RoundTrip.Result<MailThread> threads = Threads.prefetchVisible(opening, view, id);
            RoundTrip.Result<Message> members =
                    MessageReads.prefetchMembers(opening, View.of(organization), id, Erasure.SLICE);
            opening.run();
            if (threads.rows().isEmpty()) {
                throw Problem.notFound("Thread");
            }
            RoundTrip trip = tx.roundTrip();
            Threads.appendRowDelete(trip, View.of(organization), id);
            DeletedSlice first = slice(tx, trip, View.of(organization), id, new Slice(members.rows(), true));
            if (first.more) {
                jobs.add(tx, organization, JOB, id.toString());
            }
            UUID inbox = threads.rows().getFirst().inbox();
            return new DeletedSlice(
                    first.blobs,
                    first.more,
                    Inboxes.find(tx, View.of(organization), inbox)
                            .map(Inbox::address)
                            .orElse(null));
        });
        deleteBlobs(organization, slice.blobs);
        String inbox = slice.inbox;
        long deadline = System.nanoTime() + REQUEST_NANOS;
        while (slice.more && System.nanoTime() < deadline) {
            slice = slice(organization, id);
        }
        return inbox;
    }

    @Override
    public boolean run(UUID organization, String subject) {
        return !slice(organization, UUID.fromString(subject)).more;
    }

    private DeletedSlice slice(UUID organization, UUID thread) {
        View all = View.of(organization);
        DeletedSlice slice = database.write(organization, NUMBERS, (tx, opening) -> {
            RoundTrip.Result<Message> members = MessageReads.prefetchMembers(opening, all, thread, Erasure.SLICE);
            opening.run();
            return slice(tx, tx.roundTrip(), all, thread, new Slice(members.rows(), false));
        });
        deleteBlobs(organization, slice.blobs);
        return slice;
    }

    /** Some messages of a thread that is being deleted; with the first slice the thread's row is deleted. */
    private record Slice(List<Message> members, boolean first) {
        Slice {
            members = List.copyOf(members);
        }
    }

    private DeletedSlice slice(Tx tx, RoundTrip trip, View all, UUID thread, Slice slice) {
        List<Message> members = slice.members;
        EventLog.EventBatch events = log.appending(tx, all);
        List<UUID> doomed = new ArrayList<>();
        int numbers = 0;
        for (Message message : members) {
            numbers += 1 + message.labels().size();
            if (numbers <= NUMBERS) {
                doomed.add(message.id());
                events.add(removed(message, slice.first && doomed.size() == 1));
            }
        }
        RoundTrip.Result<String> orphans =
                doomed.isEmpty() ? RoundTrip.Result.none() : Erasure.appendTo(trip, all, doomed);
        RoundTrip.Result<Integer> references = Threads.appendCleanup(trip, all, thread);
        events.appendTo(trip);
        trip.run();
        return new DeletedSlice(
                orphans.rows(),
                members.size() == Erasure.SLICE
                        || doomed.size() < members.size()
                        || references.rows().size() == Threads.MOST_FORGOTTEN);
    }

    /** events.md §7: the feed informs clients that mirror an inbox that the message was deleted. */
    private static Event removed(Message message, boolean withThread) {
        return new Event(
                EventType.LABEL_REMOVED,
                MessageEvents.subject(message),
                message.labels(),
                null,
                new Event.Usage(-1, -message.size(), withThread ? -1 : 0));
    }

    private void deleteBlobs(UUID organization, List<String> names) {
        names.forEach(name -> blobs.delete(new BlobKey(organization, name)));
    }
}
