package dev.inboxd.sending.draft;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.SentDrafts;
import dev.inboxd.sending.ReservedMessage;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.sending.limit.ExemptRecipients;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Deletes a draft in the commit of its message. The commit fails if the draft was changed since it was composed, or if
 * another send has claimed it. So a draft becomes one message at most, by hand or by its schedule, whatever fails in
 * between (mail.md §8.8).
 */
final class DraftDeletionHook implements CommitHook {
    private final Draft draft;
    private final StoredUsage freed;
    private final SendTurn turn;
    private RoundTrip.Result<State> state = RoundTrip.Result.none();
    private boolean deleted;

    /**
     * @param item the draft as it was composed
     */
    DraftDeletionHook(DraftReads.DraftWithFiles item, SendTurn turn) {
        this.draft = item.draft();
        this.freed = new StoredUsage(
                0,
                draft.text().bytes()
                        + item.files().stream().mapToLong(DraftFile::size).sum());
        this.turn = turn;
    }

    private static final RowStatement<UUID> FIND = RowStatement.of(
            "select {tenant}d.draft_id, d.updated_at, d.send_status, d.claimed_by"
                    + " from {rows} as r join draft d on {d} and d.draft_id = r.draft_id",
            RowStatement.uuid("draft_id", id -> id));

    private record State(
            UUID draft,
            Instant updatedAt,
            Draft.@Nullable Status status,
            @Nullable UUID claimedBy) {
        static State read(Row row) {
            return new State(
                    row.uuid("draft_id"),
                    row.instant("updated_at"),
                    Draft.Status.ofWire(row.textOrNull("send_status")),
                    row.uuidOrNull("claimed_by"));
        }
    }

    @Override
    public Set<Object> only() {
        return Set.of(draft.id());
    }

    @Override
    public StoredUsage frees() {
        return freed;
    }

    @Override
    public void prefetch(RoundTrip opening, View all) {
        deleted = false; // an earlier try of the transaction may have set it
        state = opening.joinQuery(all, FIND, List.of(draft.id()), State::read);
    }

    @Override
    public @Nullable SendResult decide() {
        State now = state.rows().stream()
                .filter(candidate -> candidate.draft.equals(draft.id()))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Draft"));
        boolean sending = now.status == Draft.Status.SENDING || now.status == Draft.Status.AWAITING_PAYMENT;
        UUID claim = turn.claim();
        if (claim == null ? sending : !sending || !claim.equals(now.claimedBy)) {
            throw DraftReads.beingSent();
        }
        if (turn.isApproval() != (now.status == Draft.Status.AWAITING_APPROVAL)) {
            throw turn.isApproval() ? DraftReads.notWaiting() : DraftReads.waiting(draft);
        }
        if (!now.updatedAt.equals(draft.updatedAt())) {
            throw Problem.of(ErrorCode.CONFLICT, "The draft was changed while it was being sent");
        }
        return null;
    }

    @Override
    public void addEvents(EventLog.EventBatch events, SendResult sent) {
        Draft.Approval approval = draft.approval();
        if (turn.isApproval() && approval != null) {
            ReservedMessage message = new ReservedMessage(approval.reserved().id(), sent.messageName(), sent.thread());
            DraftApprovalEvents.add(
                    events,
                    EventType.DRAFT_APPROVAL_APPROVED,
                    new DraftApprovalEvents.DraftPlace(draft.id(), draft.place(), message),
                    null);
        }
    }

    @Override
    public void appendTo(RoundTrip writes, View all, SendResult sent) {
        if (sent.draft() != null) {
            return; // it waits for approval, and stays a draft
        }
        List<String> exempt = turn.exempt();
        if (exempt != null) {
            ExemptRecipients.append(writes, all, draft.place().inbox(), exempt);
        }
        DraftSql.appendDelete(writes, all, List.of(draft.id()));
        SentDrafts.appendInsert(
                writes,
                all,
                new SentDrafts.NewSentDraft(draft.id(), draft.place().inbox(), sent.messageName()));
        deleted = true;
    }

    /** Whether the draft was deleted; valid once the transaction is committed. */
    boolean isDone() {
        return deleted;
    }
}
