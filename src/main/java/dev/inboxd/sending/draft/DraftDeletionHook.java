package dev.inboxd.sending.draft;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.StoredUsage;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.sending.CommitHook;
import dev.inboxd.sending.SendResult;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The end of a draft in the commit of its message: it must still be what was composed, and nobody else's to send. So
 * there is one message of a draft at most, whoever sends it and whatever dies in between (mail.md §8.8).
 */
final class DraftDeletionHook implements CommitHook {
    private final Draft draft;
    private final StoredUsage freed;
    private final @Nullable UUID claim;
    private RoundTrip.Result<State> state = RoundTrip.Result.none();
    private boolean begun;

    /**
     * The removal of a draft.
     *
     * @param found as it was composed
     * @param claim the attempt of its schedule that sends it, or null for a caller
     */
    DraftDeletionHook(Drafts.DraftWithFiles found, @Nullable UUID claim) {
        this.draft = found.draft();
        this.freed = new StoredUsage(
                0,
                draft.text().bytes()
                        + found.files().stream().mapToLong(DraftFile::size).sum());
        this.claim = claim;
    }

    private static final RowStatement<UUID> LOOK = RowStatement.of(
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
        begun = false; // whatever an attempt that came to nothing did
        state = opening.joinQuery(all, LOOK, List.of(draft.id()), State::read);
    }

    @Override
    public @Nullable SendResult decide() {
        State now = state.rows().stream()
                .filter(each -> each.draft.equals(draft.id()))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Draft"));
        boolean sending = now.status == Draft.Status.SENDING;
        if (claim == null ? sending : !sending || !claim.equals(now.claimedBy)) {
            throw Drafts.beingSent();
        }
        if (!now.updatedAt.equals(draft.updatedAt())) {
            throw Problem.of(ErrorCode.CONFLICT, "The draft was changed while it was being sent");
        }
        return null;
    }

    @Override
    public void appendTo(RoundTrip writes, View all, SendResult sent) {
        DraftSql.appendDelete(writes, all, List.of(draft.id()));
        begun = true;
    }

    /** Whether the draft went: once its transaction is committed. */
    boolean isDone() {
        return begun;
    }
}
