package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        /** The same for an approval that frees recipients. */
        private void check(Draft reviewed, List<String> exempt) {
            check(reviewed);
            Set<String> recipients = reviewed.recipients();
            List<Fault> others = new ArrayList<>();
            for (int i = 0; i < exempt.size(); i++) {
                if (!recipients.contains(exempt.get(i).toLowerCase(Locale.ROOT))) {
                    others.add(
                            new Fault(List.of("always_allow", i), "always_allow takes recipients of this draft alone"));
                }
            }
            if (!others.isEmpty()) {
                throw Problem.invalid(others);
            }
        }

        private void check(Draft reviewed) {
            if (!reviewed.isWaiting()) {
                throw DraftReads.notWaiting();
            }
            if (reviewed.isBy(caller.apiKeyId())) {
                throw Problem.of(
                        ErrorCode.FORBIDDEN,
                        "A key approves nothing that it wrote, changed or asked to send",
                        "Approve or reject it in the console, or with another key that holds draft_approve.");
            }
            DraftReads.requireAsRead(reviewed, read);
        }
    }

    /**
     * Lets a message leave, under the ids that were promised. Of several approvals at once, one sends it.
     *
     * @param exempt recipients of it to whom mail of the inbox leaves without approval from now on
     * @param hook further work in the same transaction
     * @throws Problem {@code not_found}, {@code conflict}, {@code forbidden} for a key that wrote in it, or that frees
     *     recipients and needs approval itself, {@code validation_error} for others than its recipients, and as a send
     */
    SendResult approve(Decision decision, List<String> exempt, CommitHook hook) {
        if (!exempt.isEmpty() && decision.caller.needsApproval()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A key whose own mail needs approval frees nobody from it",
                    "Leave always_allow out, or approve in the console.");
        }
        SendTurn turn = SendTurn.approved(decision.caller, exempt);
        DraftReads.DraftWithFiles first = drafts.get(decision.view, decision.draft);
        decision.check(first.draft(), exempt);
        if (first.draft().isSubmitted()) {
            return sender.submit(decision.view, first, turn, hook);
        }
        return sender.send(
                () -> {
                    DraftSender.PreparedDraft prepared =
                            sender.prepared(decision.view, decision.draft, NO_LABEL_CHANGE, turn);
                    decision.check(prepared.stored().draft(), exempt);
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
    DraftReads.DraftWithFiles reject(Decision decision, @Nullable String note) {
        View view = decision.view;
        return database.write(view.organization(), tx -> {
            Draft draft = DraftSql.find(tx, view, decision.draft)
                    .orElseThrow(() -> DraftReads.missing(tx, view, decision.draft));
            decision.check(draft);
            reject(tx, View.of(view.organization()), draft, note);
            Draft after = DraftSql.find(tx, view, decision.draft).orElseThrow();
            return DraftReads.withFiles(tx, view, List.of(after)).getFirst();
        });
    }

    private void reject(Tx tx, View all, Draft draft, @Nullable String note) {
        DraftApprovalSql.reject(
                tx,
                all,
                new DraftApprovalSql.Rejection(draft.id(), note, tx.next().at()));
        EventLog.EventBatch events = log.appending(tx, all);
        DraftApprovalEvents.add(
                events,
                EventType.DRAFT_APPROVAL_REJECTED,
                new DraftApprovalEvents.DraftPlace(
                        draft.id(),
                        draft.place(),
                        Objects.requireNonNull(draft.approval()).reserved()),
                note);
        events.write();
    }
}
