package dev.inboxd.sending.draft;

import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.json.Timestamps;
import dev.inboxd.sending.CommitHook;
import dev.inboxd.sending.SendResult;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What people decide about messages that wait (approvals.md §3). */
final class DraftReviews {
    private static final LabelChange NO_LABEL_CHANGE = new LabelChange(Set.of(), Set.of());

    private final Database database;
    private final Drafts drafts;
    private final DraftSender sender;
    private final EventLog log;

    DraftReviews(Database database, Drafts drafts, DraftSender sender, EventLog log) {
        this.database = database;
        this.drafts = drafts;
        this.sender = sender;
        this.log = log;
    }

    /**
     * A decision on a draft as somebody read it.
     *
     * @param view what the caller sees of the inbox
     * @param read the draft's time of change that was read
     */
    record Decision(Caller caller, View view, UUID draft, Instant read) {
        private void check(Draft found) {
            if (!found.isWaiting()) {
                throw DraftReads.notWaiting();
            }
            if (found.isBy(caller.apiKeyId())) {
                throw Problem.of(
                        ErrorCode.FORBIDDEN,
                        "Nobody approves what he wrote",
                        "Approve or reject it in the console, or with another key that holds draft_approve.");
            }
            if (!Timestamps.format(found.updatedAt()).equals(Timestamps.format(read))) {
                throw Problem.of(
                        ErrorCode.CONFLICT,
                        "The draft was changed since it was read",
                        "Read it again, and decide with its updated_at.");
            }
        }
    }

    /**
     * Lets a message leave, under the ids that were promised. Of several approvals at once, one sends it.
     *
     * @param exempt recipients to whom mail of the inbox leaves without approval from now on
     * @param hook further work in the same transaction
     * @throws Problem {@code not_found}, {@code conflict}, {@code forbidden} for the key that wrote it, and as a send
     */
    SendResult approve(Decision decision, List<String> exempt, CommitHook hook) {
        SendTurn turn = SendTurn.approved(decision.caller, exempt);
        Drafts.DraftWithFiles first = drafts.get(decision.view, decision.draft);
        decision.check(first.draft());
        if (first.draft().isSubmitted()) {
            return sender.submit(decision.view, first, turn, hook);
        }
        return sender.send(
                () -> {
                    DraftSender.PreparedDraft prepared =
                            sender.prepared(decision.view, decision.draft, NO_LABEL_CHANGE, turn);
                    decision.check(prepared.found().draft());
                    return prepared;
                },
                List.of(hook));
    }

    /**
     * Sends a message back to its author, who may change the draft and ask again.
     *
     * @param note why, for the author, or null
     * @throws Problem as {@link #approve}
     */
    Drafts.DraftWithFiles reject(Decision decision, @Nullable String note) {
        View view = decision.view;
        return database.write(view.organization(), tx -> {
            Draft found = DraftSql.find(tx, view, decision.draft)
                    .orElseThrow(() -> DraftReads.missing(tx, view, decision.draft));
            decision.check(found);
            reject(tx, View.of(view.organization()), found, note);
            Draft after = DraftSql.find(tx, view, decision.draft).orElseThrow();
            return DraftReads.withFiles(tx, view, List.of(after)).getFirst();
        });
    }

    private void reject(Tx tx, View all, Draft found, @Nullable String note) {
        DraftApprovalSql.reject(
                tx,
                all,
                new DraftApprovalSql.Rejection(found.id(), note, tx.next().at()));
        EventLog.EventBatch events = log.appending(tx, all);
        DraftApprovalEvents.add(
                events,
                EventType.DRAFT_APPROVAL_REJECTED,
                new DraftApprovalEvents.DraftPlace(
                        found.id(),
                        found.place(),
                        Objects.requireNonNull(found.approval()).reserved()),
                note);
        events.write();
    }
}
