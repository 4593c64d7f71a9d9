package dev.inboxd.sending;

import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageWriter;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.NewMessage;
import dev.inboxd.mailbox.message.ReadableContent;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.platform.database.ClockReservation;
import dev.inboxd.platform.database.GroupCommit;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Stores and queues the messages of one organization in one transaction. An error of one message rejects that message
 * only. A message that must see another one committed stays undecided, and goes into the next transaction.
 */
final class SendBatch implements GroupCommit.Change {
    /** Sequence numbers that a message may use beside those of its labels. */
    private static final int NUMBERS = 8;

    private final Tx tx;
    private final View all;
    private final MailSender.Parts means;
    private final List<PendingSend> going = new ArrayList<>();
    private final MessageWriter storing;
    private final ListLookup screening = new ListLookup();
    private final SendQuota.QuotaCheck counting;
    private final LoopBreaker.ThreadActivity watch;
    private final Set<UUID> joined = new HashSet<>();
    private final Map<UUID, PendingSend> stored = new LinkedHashMap<>();
    private StoredUsage kept = StoredUsage.NONE;
    private RoundTrip.Result<Inbox> inboxes = RoundTrip.Result.none();
    private RoundTrip.Result<MailThread> threads = RoundTrip.Result.none();
    private RoundTrip.Result<Messages.ExistingName> taken = RoundTrip.Result.none();

    /** A batch for one transaction of the view's organization. */
    SendBatch(Tx tx, View all, MailSender.Parts means, List<PendingSend> postings) {
        this.tx = tx;
        this.all = all;
        this.means = means;
        this.storing = new MessageWriter(tx, all, means.log(), means.links());
        this.counting = means.quota().newCheck();
        this.watch = means.breaker().watch();
        Set<Object> only = new HashSet<>();
        for (PendingSend posting : postings) {
            posting.begin();
            Set<Object> own = posting.only();
            if (own.stream().noneMatch(only::contains)) {
                going.add(posting);
            }
            only.addAll(own);
        }
    }

    /** The sequence numbers and storage that these messages need at most. */
    @Override
    public ClockReservation claim() {
        int numbers = 0;
        StoredUsage more = StoredUsage.NONE;
        for (PendingSend posting : going) {
            numbers += posting.leaving().message().labels().size() + NUMBERS;
            more = more.plus(StoredUsage.message(posting.leaving().mail().length()));
        }
        return new ClockReservation(numbers, more);
    }

    @Override
    public void prefetch(RoundTrip opening) {
        List<Messages.NameQuery> names = new ArrayList<>();
        for (PendingSend posting : going) {
            PreparedMessage leaving = posting.leaving();
            NewMessage message = leaving.message();
            UUID from = message.inbox().id();
            posting.hooks().forEach(hook -> hook.prefetch(opening, all));
            if (leaving.clearance().isNamed()) {
                names.add(new Messages.NameQuery(from, message.name()));
            }
            storing.require(from, message.parents());
            storing.require(posting.content());
            storing.require(from, message.summary().people(), true);
            screening.require(from, leaving.envelope());
        }
        Set<UUID> senders = going.stream()
                .map(posting -> posting.leaving().message().inbox().id())
                .collect(Collectors.toSet());
        inboxes = Inboxes.prefetch(opening, all, senders);
        Set<UUID> named = going.stream()
                .map(posting -> posting.leaving().message().parents().thread())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        threads = Threads.prefetch(opening, all, named);
        taken = Messages.prefetchExisting(opening, all, names);
        storing.prefetch(opening);
        watch.prefetch(opening, all, named);
        screening.prefetch(opening, all, Direction.SEND);
        counting.prefetch(opening, all, senders);
    }

    @Override
    public void write(RoundTrip writes) {
        threads.rows().forEach(storing::include);
        lookAtFoundThreads();
        kept = tx.usage();
        going.forEach(this::decide);
        screening.appendTo(writes, all);
        if (stored.isEmpty()) {
            tx.recordUsage(writes, all, StoredUsage.NONE);
            return;
        }
        storing.appendTo(writes);
        stored.forEach((message, posting) -> {
            PreparedMessage leaving = posting.leaving();
            Inbox inbox = leaving.message().inbox();
            means.submissions()
                    .appendTo(
                            tx,
                            writes,
                            all.organization(),
                            new SubmissionQueue.NewSubmission(
                                    message,
                                    inbox.id(),
                                    inbox.address(),
                                    null,
                                    leaving.envelope(),
                                    leaving.to().dsn()),
                            posting.handover());
            posting.hooks().forEach(hook -> hook.appendTo(writes, all, posting.result()));
        });
        counting.appendTo(writes, all);
        Map<UUID, ReadableContent> shown = new HashMap<>();
        stored.forEach((message, posting) ->
                shown.put(message, posting.leaving().message().summary().readable()));
        tx.afterCommit(() -> means.recent().remember(shown));
    }

    /** Looks up the threads that were found by references only, in one more round trip for all of them. */
    private void lookAtFoundThreads() {
        Set<UUID> found = going.stream()
                .map(PendingSend::leaving)
                .filter(PreparedMessage::mayJoin)
                .map(PreparedMessage::message)
                .flatMap(each -> storing.threadToJoin(each.inbox().id(), each.parents()).stream())
                .collect(Collectors.toSet());
        if (watch.misses(found)) {
            RoundTrip more = tx.roundTrip();
            watch.prefetch(more, all, found);
            more.run();
        }
    }

    private void decide(PendingSend posting) {
        try {
            SendResult before = posting.earlier();
            if (before != null) {
                posting.accept(before);
            } else {
                store(posting);
            }
        } catch (LargeMessages.ChunkGoneException | ApprovalRequiredException other) {
            posting.refuse(other);
        } catch (Problem refusal) {
            if (refusal.code() == ErrorCode.SERVICE_UNAVAILABLE) {
                throw refusal; // it says nothing of the message
            }
            posting.refuse(refusal);
        }
    }

    private void store(PendingSend posting) {
        PreparedMessage leaving = posting.leaving();
        NewMessage wanted = leaving.message();
        UUID from = wanted.inbox().id();
        if (!leaving.clearance().isCharged()) {
            counting.check(from);
        }
        StoredUsage more =
                kept.plus(StoredUsage.message(leaving.mail().length())).minus(CommitHook.frees(posting.hooks()));
        means.room().require(kept, more);
        Inbox inbox = inboxes.rows().stream()
                .filter(each -> each.id().equals(from))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Inbox"));
        inbox.requireActive();
        if (inbox.sending().needsApproval() && !leaving.clearance().isApproved()) {
            throw new ApprovalRequiredException();
        }
        RecipientPolicy.check(screening, from, leaving.envelope());
        if (leaving.mayJoin()) {
            Optional<UUID> thread = storing.threadToJoin(from, wanted.parents());
            if (thread.filter(joined::contains).isPresent()) {
                return; // the breaker counts what is committed
            }
            thread.ifPresent(watch::check);
        }
        Message message = storing.add(withFreeName(wanted), posting.content());
        kept = more;
        joined.add(message.place().thread());
        if (!leaving.clearance().isCharged()) {
            counting.count(from);
        }
        stored.put(message.id(), posting);
        posting.accept(new SendResult(message.name(), message.place().thread(), message.people(), null));
        posting.hooks().forEach(hook -> hook.tell(storing.events(), posting.result()));
    }

    /** A Message-ID that the sender has used before is stored under a new name, as for received mail (ruling 3). */
    private NewMessage withFreeName(NewMessage message) {
        Inbox inbox = message.inbox();
        boolean free = taken.rows().stream()
                .noneMatch(
                        each -> each.inbox().equals(inbox.id()) && each.name().equals(message.name()));
        return free ? message : message.withName("<" + Uuid7.next() + "@" + inbox.domain() + ">");
    }
}
