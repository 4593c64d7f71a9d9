package dev.inboxd.sending;

import dev.inboxd.base.database.ClockReservation;
import dev.inboxd.base.database.GroupCommit;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mailbox.claim.AnswerCheck;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.storage.MessageNames;
import dev.inboxd.mailbox.storage.MessageWriter;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.sending.compose.RecipientPolicy;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.sending.limit.LoopBreaker;
import dev.inboxd.sending.limit.SendQuota;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores and queues the messages of one organization in one transaction. An error of one message rejects that message
 * only. A message that must see another one committed stays undecided, and goes into the next transaction.
 */
final class SendBatch implements GroupCommit.Change {
    /** Sequence numbers that a message may use beside those of its labels. */
    private static final int NUMBERS = 8;

    private final Tx tx;
    private final View all;
    private final MailSender.Parts parts;
    private final List<PendingSend> sends = new ArrayList<>();
    private final MessageWriter writer;
    private final ListLookup lists = new ListLookup();
    private final SendQuota.QuotaCheck quota;
    private final LoopBreaker.ThreadActivity activity;
    private final AnswerCheck answers = new AnswerCheck();
    private final Set<UUID> joined = new HashSet<>();
    private final Map<UUID, PendingSend> stored = new LinkedHashMap<>();
    private StoredUsage usage = StoredUsage.NONE;
    private RoundTrip.Result<Inbox> inboxes = RoundTrip.Result.none();
    private RoundTrip.Result<MailThread> threads = RoundTrip.Result.none();
    private RoundTrip.Result<MessageNames.ExistingName> existingNames = RoundTrip.Result.none();

    /** A batch for one transaction of the view's organization. */
    SendBatch(Tx tx, View all, MailSender.Parts parts, List<PendingSend> pending) {
        this.tx = tx;
        this.all = all;
        this.parts = parts;
        this.writer = new MessageWriter(tx, all, parts.log(), parts.links());
        this.quota = parts.quota().newCheck();
        this.activity = parts.breaker().watch();
        Set<Object> only = new HashSet<>();
        for (PendingSend send : pending) {
            send.begin();
            Set<Object> own = send.only();
            if (own.stream().noneMatch(only::contains)) {
                sends.add(send);
            }
            only.addAll(own);
        }
    }

    /** The sequence numbers and storage that these messages need at most. */
    @Override
    public ClockReservation claim() {
        int numbers = 0;
        StoredUsage most = StoredUsage.NONE;
        for (PendingSend send : sends) {
            numbers += send.prepared().message().labels().size() + NUMBERS;
            most = most.plus(StoredUsage.message(send.prepared().mail().length()));
        }
        return new ClockReservation(numbers, most);
    }

    @Override
    public void prefetch(RoundTrip opening) {
        List<MessageNames.NameQuery> names = new ArrayList<>();
        for (PendingSend send : sends) {
            PreparedMessage prepared = send.prepared();
            NewMessage message = prepared.message();
            UUID sender = prepared.sender();
            prepared.hooks().forEach(hook -> hook.prefetch(opening, all));
            if (prepared.clearance().isNamed()) {
                names.add(new MessageNames.NameQuery(sender, message.name()));
            }
            writer.require(sender, message.parents());
            writer.require(send.content());
            writer.require(sender, message.summary().people(), true);
            lists.require(sender, prepared.recipients());
        }
        Set<UUID> senders = sends.stream().map(send -> send.prepared().sender()).collect(Collectors.toSet());
        inboxes = Inboxes.prefetch(opening, all, senders);
        Set<UUID> named = sends.stream()
                .map(send -> send.prepared().message().parents().thread())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        threads = Threads.prefetch(opening, all, named);
        existingNames = MessageNames.prefetch(opening, all, names);
        writer.prefetch(opening);
        activity.prefetch(opening, all, named);
        answers.prefetch(
                opening,
                all,
                joining(prepared ->
                        Optional.ofNullable(prepared.message().parents().thread())));
        lists.prefetch(opening, all, Direction.SEND);
        quota.prefetch(opening, all, senders);
    }

    @Override
    public void write(RoundTrip writes) {
        threads.rows().forEach(writer::include);
        lookAtFoundThreads();
        usage = tx.usage();
        sends.forEach(this::decide);
        lists.appendTo(writes, all);
        if (stored.isEmpty()) {
            tx.recordUsage(writes, all, StoredUsage.NONE);
            return;
        }
        writer.appendTo(writes);
        stored.forEach((message, send) -> {
            queue(writes, message, send);
            send.prepared().hooks().forEach(hook -> hook.appendTo(writes, all, send.result()));
        });
        quota.appendTo(writes, all);
        answers.appendTo(writes, all);
        Map<UUID, ReadableContent> readable = new HashMap<>();
        stored.forEach((message, send) ->
                readable.put(message, send.prepared().message().summary().readable()));
        tx.afterCommit(() -> parts.recent().remember(readable));
    }

    private void queue(RoundTrip writes, UUID message, PendingSend send) {
        PreparedMessage prepared = send.prepared();
        Inbox inbox = prepared.message().inbox();
        parts.submissions()
                .appendTo(
                        tx,
                        writes,
                        all.organization(),
                        new SubmissionQueue.NewSubmission(
                                message,
                                inbox.id(),
                                inbox.address(),
                                null,
                                prepared.recipients(),
                                prepared.to().dsn()),
                        send.slot());
    }

    /** Looks up the threads that were found by references only, in one more round trip for all of them. */
    private void lookAtFoundThreads() {
        Set<UUID> joinedThreads = sends.stream()
                .map(PendingSend::prepared)
                .filter(PreparedMessage::mayJoin)
                .flatMap(prepared -> writer
                        .threadToJoin(prepared.sender(), prepared.message().parents())
                        .stream())
                .collect(Collectors.toSet());
        List<AnswerCheck.Joining> joining = joining(prepared ->
                writer.threadToJoin(prepared.sender(), prepared.message().parents()));
        if (activity.misses(joinedThreads) || answers.misses(joining)) {
            RoundTrip more = tx.roundTrip();
            activity.prefetch(more, all, joinedThreads);
            answers.prefetch(more, all, joining);
            more.run();
        }
    }

    private List<AnswerCheck.Joining> joining(Function<PreparedMessage, Optional<UUID>> threads) {
        return sends.stream()
                .map(PendingSend::prepared)
                .filter(PreparedMessage::mayJoin)
                .flatMap(prepared -> threads.apply(prepared).stream()
                        .map(thread -> new AnswerCheck.Joining(prepared.sender(), thread, prepared.terms())))
                .toList();
    }

    private void decide(PendingSend send) {
        try {
            SendResult earlier = send.earlier();
            if (earlier != null) {
                send.accept(earlier);
            } else {
                store(send);
            }
        } catch (LargeMessages.ChunkGoneException | ApprovalRequiredException failure) {
            send.refuse(failure);
        } catch (Problem refusal) {
            if (refusal.code() == ErrorCode.SERVICE_UNAVAILABLE) {
                throw refusal; // it says nothing of the message
            }
            send.refuse(refusal);
        }
    }

    private void store(PendingSend send) {
        PreparedMessage prepared = send.prepared();
        UUID sender = prepared.sender();
        boolean isCharged = prepared.clearance().isCharged();
        if (!isCharged) {
            quota.check(sender);
        }
        StoredUsage usageAfter = usage.plus(prepared.growth());
        parts.room().require(usage, usageAfter);
        requireSender(prepared);
        RecipientPolicy.check(tx, lists, sender, prepared.recipients());
        if (prepared.mayJoin()) {
            Optional<UUID> thread =
                    writer.threadToJoin(sender, prepared.message().parents());
            if (thread.filter(joined::contains).isPresent()) {
                return; // the breaker counts what is committed
            }
            thread.ifPresent(activity::check);
            thread.ifPresent(id -> answers.check(id, prepared.terms()));
        }
        Message message = writer.add(withFreeName(prepared.message()), send.content());
        usage = usageAfter;
        joined.add(message.place().thread());
        if (!isCharged) {
            quota.count(sender);
        }
        answers.accept(prepared.terms());
        stored.put(message.id(), send);
        send.accept(new SendResult(message.name(), message.place().thread(), message.people(), null));
        prepared.hooks().forEach(hook -> hook.addEvents(writer.events(), send.result()));
    }

    private void requireSender(PreparedMessage prepared) {
        Inbox inbox = inboxes.rows().stream()
                .filter(candidate -> candidate.id().equals(prepared.sender()))
                .findFirst()
                .orElse(null);
        requireSender(inbox, prepared.clearance().isApproved());
    }

    /**
     * Rejects a message of a sender that may have been deleted, paused, or put under approval since it was made.
     *
     * @param inbox as it is now; null when it was deleted
     * @param isApproved whether the message leaves whatever its inbox needs
     */
    static void requireSender(@Nullable Inbox inbox, boolean isApproved) {
        if (inbox == null) {
            throw Problem.notFound("Inbox");
        }
        inbox.requireSending();
        if (inbox.sending().needsApproval() && !isApproved) {
            throw new ApprovalRequiredException();
        }
    }

    /** A Message-ID that the sender has used before is stored under a new name, as for received mail (ruling 3). */
    private NewMessage withFreeName(NewMessage message) {
        Inbox inbox = message.inbox();
        boolean free = existingNames.rows().stream()
                .noneMatch(existing ->
                        existing.inbox().equals(inbox.id()) && existing.name().equals(message.name()));
        return free ? message : message.withName("<" + Uuid7.next() + "@" + inbox.domain() + ">");
    }
}
