package dev.inboxd.mailbox.claim;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What counts as the answer to a message (mail.md §18.3). */
final class AnswerSql {
    /**
     * The answer to what came into the thread {@code r.thread_id} of the inbox {@code r.inbox_id} at {@code r.at}: mail
     * that was sent behind it, or a draft other than {@code r.draft} that is as good as sent.
     */
    static final String ANSWER = """
            select x.name, x.draft_id from (
                (select m.name, null::uuid as draft_id, 1 as rank from message m
                 where m.organization_id = {organization} and m.thread_id = r.thread_id and m.outgoing
                   and m.created_at > r.at and m.automatic is not true and m.unreached is not true
                   and not m.labels && array['rejected']
                 order by m.created_at limit 1)
                union all
                (select d.message_name, d.draft_id, 2 as rank from draft d
                 where d.organization_id = {organization} and d.inbox_id = r.inbox_id
                   and d.send_status in ('awaiting_approval', 'sending') and r.at is not null
                   and d.draft_id is distinct from r.draft
                   and case d.send_status when 'sending' then d.in_reply_to = r.name
                       else d.thread_id = r.thread_id and d.asked_at > r.at end
                 order by d.updated_at limit 1)) as x
            order by x.rank limit 1""";

    private static final String FIND = "select a.name, a.draft_id from (select :inbox::uuid as inbox_id,"
            + " :thread::uuid as thread_id, :name::text as name, :at::timestamptz as at, null::uuid as draft) as r"
            + " cross join lateral (" + ANSWER + ") as a";

    private AnswerSql() {}

    /**
     * An answer that is there.
     *
     * @param name its public id; null of a draft that is being sent, which has none yet
     * @param draft the draft that waits or is being sent, or null
     */
    record ExistingAnswer(@Nullable String name, @Nullable UUID draft) {
        static ExistingAnswer read(Row row) {
            return new ExistingAnswer(row.textOrNull("name"), row.uuidOrNull("draft_id"));
        }

        /** The refusal of another one. */
        Problem refusal() {
            Problem answered = Problem.of(
                    ErrorCode.CONFLICT,
                    draft == null ? "This is answered" : "An answer to this is on its way",
                    draft == null
                            ? "Read the answer: GET /v0/inboxes/{inbox_id}/messages/{message_id} with the id in"
                                    + " answered_by. To answer again on purpose, say if_unanswered: false."
                            : "Read the draft: GET /v0/inboxes/{inbox_id}/drafts/{draft_id} with the id in draft_id."
                                    + " To answer again on purpose, say if_unanswered: false.");
            Problem named = name == null ? answered : answered.with("answered_by", name);
            return draft == null ? named : named.with("draft_id", draft);
        }
    }

    /** The answer to what is claimed, if there is one. */
    static Optional<ExistingAnswer> find(Tx tx, View all, ClaimSql.ClaimTarget target) {
        Instant at = target.at();
        return at == null
                ? Optional.empty()
                : tx.sql(all, FIND)
                        .bind("inbox", target.place().inbox())
                        .bind("thread", target.place().thread())
                        .bind("name", Objects.requireNonNullElse(target.place().message(), ""))
                        .bind("at", at)
                        .first(ExistingAnswer::read);
    }
}
