package dev.inboxd.sending;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.link.Links;
import dev.inboxd.event.EventLog;
import dev.inboxd.mailbox.claim.AnswerCheck;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.MessageNames;
import dev.inboxd.mailbox.storage.MessageWriter;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.sending.compose.RecipientPolicy;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides which messages wait for approval, and hands them to the desk where they wait (approvals.md §1, §2). */
public final class ApprovalGate {
    /** The sequence numbers of the organization's clock that a message takes which begins to wait. */
    public static final int NUMBERS = 8;

    private final Database database;
    private final EventLog log;
    private final Links links;
    private @Nullable ApprovalDesk desk;

    ApprovalGate(MailSender.Parts parts) {
        this.database = parts.database();
        this.log = parts.log();
        this.links = parts.links();
    }

    /** What becomes of a message. */
    enum Ruling {
        /** Nothing asks for approval. */
        LEAVES,
        /** It needs approval and has it, or all its recipients are exempt. */
        CLEARED,
        /** It waits. */
        WAITS;

        /** What is known of a message by then, see {@link PreparedMessage.Clearance}. */
        PreparedMessage.Clearance clearance(boolean isNamed, boolean isCharged) {
            return new PreparedMessage.Clearance(isNamed, isCharged, this == CLEARED);
        }
    }

    /** Sets where messages wait. */
    public void setDesk(ApprovalDesk newDesk) {
        this.desk = newDesk;
    }

    Ruling ruling(WaitingMessage.Sender sender, List<String> recipients) {
        Inbox inbox = sender.inbox();
        SendOrigin origin = sender.origin();
        if (origin.approved() != null) {
            return Ruling.CLEARED;
        }
        if (!origin.needsApproval() && !inbox.sending().needsApproval() && !isBoundByNow(origin)) {
            return Ruling.LEAVES;
        }
        return desk().isExempt(origin.organization(), inbox.id(), recipients) ? Ruling.CLEARED : Ruling.WAITS;
    }

    /** Whether a key wrote in it that came to need approval since; of too many to name, one may have. */
    private boolean isBoundByNow(SendOrigin origin) {
        return origin.authors().needApproval(database, origin.organization());
    }

    private ApprovalDesk desk() {
        return Objects.requireNonNull(desk);
    }

    /**
     * Lets a message wait. When this returns, its draft is durable.
     *
     * @param hooks further work in the same transaction
     * @return the ids that are reserved for it, with its draft; or the answer of an equal request before it
     * @throws Problem why it could not leave anyway
     */
    SendResult hold(WaitingMessage waiting, List<CommitHook> hooks) {
        ApprovalDesk.Filing filing = desk().file(waiting);
        UUID organization = waiting.sender().view().organization();
        return database.write(
                organization,
                NUMBERS,
                (tx, opening) -> new HoldTx(tx, View.of(organization), waiting).run(opening, hooks, filing));
    }

    /** The transaction in which a message begins to wait. */
    private final class HoldTx {
        private final Tx tx;
        private final View all;
        private final WaitingMessage waiting;
        private final MessageWriter threads;
        private final ListLookup lists = new ListLookup();
        private final AnswerCheck answers = new AnswerCheck();

        HoldTx(Tx tx, View all, WaitingMessage waiting) {
            this.tx = tx;
            this.all = all;
            this.waiting = waiting;
            this.threads = new MessageWriter(tx, all, log, links);
        }

        SendResult run(RoundTrip opening, List<CommitHook> hooks, ApprovalDesk.Filing filing) {
            UUID inbox = waiting.sender().inbox().id();
            List<String> recipients = waiting.submitted() == null
                    ? waiting.content().envelope()
                    : waiting.submitted().recipients();
            hooks.forEach(hook -> hook.prefetch(opening, all));
            threads.require(inbox, waiting.parents());
            threads.prefetch(opening);
            lists.require(inbox, recipients);
            lists.prefetch(opening, all, Direction.SEND);
            UUID joined = waiting.parents().thread();
            RoundTrip.Result<MailThread> named =
                    Threads.prefetch(opening, all, joined == null ? List.of() : List.of(joined));
            RoundTrip.Result<MessageNames.ExistingName> existingNames = MessageNames.prefetch(
                    opening,
                    all,
                    List.of(new MessageNames.NameQuery(inbox, waiting.reserved().name())));
            RoundTrip.Result<Inbox> now = Inboxes.prefetch(opening, all, List.of(inbox));
            opening.run();
            for (CommitHook hook : hooks) {
                SendResult earlier = hook.decide();
                if (earlier != null) {
                    return earlier;
                }
            }
            now.rows().stream()
                    .findFirst()
                    .orElseThrow(() -> Problem.notFound("Inbox"))
                    .requireSending();
            RecipientPolicy.check(tx, lists, inbox, recipients);
            named.rows().forEach(threads::include);
            threads.threadToJoin(inbox, waiting.parents()).ifPresent(this::check);
            return write(hooks, filing, !existingNames.rows().isEmpty() || filing.isPromised(tx, waiting));
        }

        private void check(UUID thread) {
            AnswerTerms terms = waiting.terms();
            if (terms.matters()) {
                RoundTrip roundTrip = tx.roundTrip();
                answers.prefetch(roundTrip, all, List.of(new AnswerCheck.Joining(inbox(), thread, terms)));
                roundTrip.run();
                answers.check(thread, terms);
                answers.accept(terms);
            }
        }

        private UUID inbox() {
            return waiting.sender().inbox().id();
        }

        private SendResult write(List<CommitHook> hooks, ApprovalDesk.Filing filing, boolean isTaken) {
            UUID inbox = waiting.sender().inbox().id();
            NewMessage.Parents parents = waiting.parents();
            ReservedMessage wished = waiting.reserved();
            ReservedMessage reserved = new ReservedMessage(
                    wished.id(),
                    isTaken
                            ? "<" + Uuid7.next() + "@"
                                    + waiting.sender().inbox().domain() + ">"
                            : wished.name(),
                    threads.threadToJoin(inbox, parents).orElse(wished.thread()));
            filing.write(tx, waiting.reserving(reserved));
            SendResult result = new SendResult(reserved.name(), reserved.thread(), null, filing.draft());
            RoundTrip writes = tx.roundTrip();
            lists.appendTo(writes, all);
            answers.appendTo(writes, all);
            hooks.forEach(hook -> hook.appendTo(writes, all, result));
            writes.run();
            return result;
        }
    }
}
