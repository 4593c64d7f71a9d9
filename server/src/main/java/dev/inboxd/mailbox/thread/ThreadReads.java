package dev.inboxd.mailbox.thread;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.attachment.Attachments;
import dev.inboxd.mailbox.claim.ShownClaim;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Reads threads with their inbox's public id and the attachments of their messages. */
public final class ThreadReads {
    private final Database database;
    private final WaitingUpkeep waiting;

    /**
     * The threads of a database.
     *
     * @param waiting knows who waits in all of them
     */
    public ThreadReads(Database database, WaitingUpkeep waiting) {
        this.database = database;
        this.waiting = waiting;
    }

    /** A thread with the properties that are not in its row. */
    public record ThreadView(MailThread thread, String inboxName, List<Attachment> attachments, ShownClaim claim) {
        /** Who waits in it, where its inbox lies, and who answers in it: the members behind all others. */
        public JsonObject additions(UUID organization) {
            return thread.waiting()
                    .json()
                    .withAll(ThreadJson.place(organization, thread))
                    .withAll(claim.json());
        }
    }

    /**
     * A page of the threads that the view shows.
     *
     * @throws Problem {@code service_unavailable} when it asks who waits, and that is still being counted
     */
    public Slice<ThreadView> list(View view, ThreadFilter filter, PageRequest page) {
        if (filter.waiting() != null) {
            waiting.require(view.organization());
        }
        return database.read(tx -> {
            Slice<Threads.InboxThread> slice = Threads.list(tx, view, filter, page);
            return new Slice<>(withAttachments(tx, view, slice.items()), slice.next());
        });
    }

    /**
     * One thread, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    public ThreadView get(View view, UUID id) {
        return database.read(tx -> Threads.named(tx, view, id)
                        .map(named -> withAttachments(tx, view, List.of(named)).getFirst()))
                .orElseThrow(() -> Problem.notFound("Thread"));
    }

    /** The threads of these ids that the view shows, in the caller's transaction. */
    public static List<ThreadView> byIds(Tx tx, View view, Collection<UUID> ids) {
        return withAttachments(tx, view, Threads.named(tx, view, ids));
    }

    private static List<ThreadView> withAttachments(Tx tx, View view, List<Threads.InboxThread> threads) {
        List<UUID> ids = threads.stream()
                .map(Threads.InboxThread::thread)
                .filter(thread -> thread.totals().attachments() > 0)
                .map(MailThread::id)
                .toList();
        Map<UUID, List<Attachment>> attachments = Attachments.ofThreads(tx, view, ids);
        return threads.stream()
                .map(named -> new ThreadView(
                        named.thread(),
                        named.inboxName(),
                        attachments.getOrDefault(named.thread().id(), List.of()),
                        named.claim()))
                .toList();
    }
}
