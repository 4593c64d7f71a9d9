package dev.inboxd.sending;

import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.RecentlyShown;
import dev.inboxd.mailbox.message.Shown;
import dev.inboxd.mailbox.message.Storing;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.platform.database.Claim;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Kept;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Code;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.queue.Submissions;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.Screening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores and queues the messages of one organization that are in one transaction. What refuses one of them refuses that
 * one. What must see another of them committed is left undecided, and comes in the next transaction.
 */
final class PostingBatch implements Database.Change {
    /** Numbers of the organization's clock that a message may use beside those of its labels. */
    private static final int NUMBERS = 8;

    private final Tx tx;
    private final View all;
    private final Means means;
    private final List<Posting> going = new ArrayList<>();
    private final Storing storing;
    private final Screening screening = new Screening();
    private final SendQuota.Counting counting;
    private final Breaker.Watch watch;
    private final Set<UUID> joined = new HashSet<>();
    private final List<Stored> stored = new ArrayList<>();
    private Kept kept = Kept.NONE;
    private RoundTrip.Pending<Inbox> inboxes = RoundTrip.Pending.none();
    private RoundTrip.Pending<MailThread> threads = RoundTrip.Pending.none();
    private RoundTrip.Pending<Messages.Taken> taken = RoundTrip.Pending.none();

    /**
     * What storing stands on.
     *
     * @param recent is told what is shown of what was stored
     */
    record Means(
            Submissions submissions,
            EventLog log,
            Links links,
            SendQuota quota,
            StorageQuota room,
            Breaker breaker,
            RecentlyShown recent) {}

    private record Stored(Posting posting, Message message, Sent sent) {}

    /** A batch for one transaction of the view's organization; the postings are settled by the caller, after the commit. */
    PostingBatch(Tx tx, View all, Means means, List<Posting> postings) {
        this.tx = tx;
        this.all = all;
        this.means = means;
        this.storing = new Storing(tx, all, means.log, means.links);
        this.counting = means.quota.counting();
        this.watch = means.breaker.watch();
        Set<Object> only = new HashSet<>();
        for (Posting posting : postings) {
            posting.begin();
            Set<Object> own = posting.only();
            if (own.stream().noneMatch(only::contains)) {
                going.add(posting);
            }
            only.addAll(own);
        }
    }

    /** What storing all of them takes of the organization. */
    static Claim claim(List<Posting> postings) {
        int numbers = 0;
        Kept more = Kept.NONE;
        for (Posting posting : postings) {
            numbers += posting.leaving().look().labels().size() + NUMBERS;
            more = more.plus(Kept.message(posting.leaving().mail().length()));
        }
        return new Claim(numbers, more);
    }

    @Override
    public void look(RoundTrip opening) {
        List<Messages.Wanted> names = new ArrayList<>();
        for (Posting posting : going) {
            Leaving leaving = posting.leaving();
            UUID from = leaving.inbox().id();
            posting.companion().look(opening, all);
            if (leaving.named()) {
                names.add(new Messages.Wanted(from, leaving.name()));
            }
            storing.wish(from, leaving.candidates());
            storing.wish(posting.content());
            screening.ask(from, leaving.envelope());
        }
        Set<UUID> senders =
                going.stream().map(posting -> posting.leaving().inbox().id()).collect(Collectors.toSet());
        inboxes = Inboxes.look(opening, all, senders);
        Set<UUID> named = going.stream()
                .map(posting -> posting.leaving().thread())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        threads = Threads.look(opening, all, named);
        taken = Messages.lookTaken(opening, all, names);
        storing.look(opening);
        watch.look(opening, all, named);
        screening.look(opening, all, Direction.SEND);
        counting.look(opening, all, senders);
    }

    @Override
    public void write(RoundTrip writes) {
        threads.rows().forEach(storing::know);
        lookAtFoundThreads();
        kept = tx.kept();
        going.forEach(this::decide);
        screening.writeWith(writes, all);
        if (stored.isEmpty()) {
            tx.settle(writes, all, Kept.NONE);
            return;
        }
        storing.writeWith(writes);
        for (Stored each : stored) {
            Leaving leaving = each.posting.leaving();
            means.submissions.queueWith(
                    tx,
                    writes,
                    all.organization(),
                    new Submissions.NewSubmission(
                            each.message.id(),
                            leaving.inbox().id(),
                            leaving.inbox().address(),
                            null,
                            leaving.envelope(),
                            leaving.dsn()),
                    each.posting.handover());
            each.posting.companion().writeWith(writes, all, each.sent);
        }
        counting.writeWith(writes, all);
        Map<UUID, Shown> shown = new HashMap<>();
        stored.forEach(each ->
                shown.put(each.message.id(), each.posting.leaving().look().shown()));
        tx.afterCommit(() -> means.recent.remember(shown));
    }

    @Override
    public @Nullable Runnable rest() {
        return null;
    }

    /** Those that only the references led to take one more round trip, for all of them. */
    private void lookAtFoundThreads() {
        Set<UUID> found = going.stream()
                .map(Posting::leaving)
                .filter(Leaving::mayJoin)
                .flatMap(each -> storing.joins(each.inbox().id(), each.candidates(), each.thread()).stream())
                .collect(Collectors.toSet());
        if (watch.misses(found)) {
            RoundTrip more = tx.roundTrip();
            watch.look(more, all, found);
            more.run();
        }
    }

    private void decide(Posting posting) {
        try {
            Sent before = posting.companion().decide();
            if (before != null) {
                posting.accept(before);
            } else {
                store(posting);
            }
        } catch (LargeMessages.NoLongerShared deleted) {
            posting.refuse(deleted);
        } catch (Problem refusal) {
            if (refusal.code() == Code.SERVICE_UNAVAILABLE) {
                throw refusal; // it says nothing of the message
            }
            posting.refuse(refusal);
        }
    }

    private void store(Posting posting) {
        Leaving leaving = posting.leaving();
        UUID from = leaving.inbox().id();
        counting.check(from);
        Kept more = kept.plus(Kept.message(leaving.mail().length()))
                .minus(posting.companion().frees());
        means.room.require(kept, more);
        Dispatch.checkActive(inboxes.rows().stream()
                .filter(inbox -> inbox.id().equals(from))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Inbox")));
        Policy.check(screening, from, leaving.envelope());
        if (leaving.mayJoin()) {
            Optional<UUID> thread = storing.joins(from, leaving.candidates(), leaving.thread());
            if (thread.filter(joined::contains).isPresent()) {
                return; // the breaker counts what is committed
            }
            thread.ifPresent(watch::check);
        }
        Message message = storing.add(leaving.record(freeName(leaving), posting.content()));
        kept = more;
        joined.add(message.place().thread());
        counting.count(from);
        Sent sent = new Sent(message.name(), message.place().thread());
        stored.add(new Stored(posting, message, sent));
        posting.accept(sent);
    }

    /** If its sender used the Message-ID before, the record gets a name of its own, as received mail does (ruling 3). */
    private String freeName(Leaving leaving) {
        boolean free = taken.rows().stream()
                .noneMatch(each ->
                        each.inbox().equals(leaving.inbox().id()) && each.name().equals(leaving.name()));
        return free
                ? leaving.name()
                : "<" + Uuid7.next() + "@" + leaving.inbox().domain() + ">";
    }
}
