package dev.inboxd.mailbox.claim;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether messages may join the threads that they answer in, in the transaction that stores them: a claim binds
 * everybody else (mail.md §18.2), and what is answered may have no second answer (§18.3).
 */
public final class AnswerCheck {
    /** {@code at} is the time of the message that is answered; null where a second answer is allowed. */
    private static final RowStatement<Question> FIND = RowStatement.of(
            """
            select {tenant}r.n, greatest({now}, k.last_at) as now, c.claim_id, c.inbox_id, r.inbox_name, c.thread_id,
                   c.message_name, c.worker, c.holder_id, c.holder, c.bound, c.held, c.created_at, c.expires_at,
                   g.claim_id as shown, g.holder_id as shown_holder, g.bound as shown_bound,
                   a.name, a.draft_id
            from {rows} as q
            join organization_clock k on {k}
            join inbox i on {i} and i.inbox_id = q.inbox_id
            cross join lateral (
                select q.n, q.inbox_id, i.address as inbox_name, q.thread_id, q.name, q.draft, q.claim,
                       case when coalesce(q.asks, i.reply_once and not q.forward) then coalesce(
                           (select m.created_at from message m where m.organization_id = {organization}
                            and m.inbox_id = q.inbox_id and m.name = q.name),
                           (select max(m.created_at) from message m where m.organization_id = {organization}
                            and m.thread_id = q.thread_id and not m.outgoing)) end as at) as r
            left join thread_claim c on c.organization_id = {organization} and c.thread_id = r.thread_id and c.held
            left join thread_claim g on g.organization_id = {organization} and g.claim_id = r.claim
                and g.inbox_id = r.inbox_id
            left join lateral (""" + AnswerSql.ANSWER + ") as a on true",
            RowStatement.integer("n", Question::number),
            RowStatement.uuid("inbox_id", Question::inbox),
            RowStatement.uuid("thread_id", Question::thread),
            RowStatement.text("name", question -> Objects.requireNonNullElse(question.terms.original(), "")),
            RowStatement.uuid("draft", question -> question.terms.draft()),
            RowStatement.text("claim", question -> question.terms.claim()),
            RowStatement.flag("asks", question -> question.terms.ifUnanswered()),
            RowStatement.flag("forward", question -> question.terms.kind() == AnswerTerms.Kind.FORWARD));

    private final Map<Key, Integer> numbers = new HashMap<>();
    private final List<RoundTrip.Result<Finding>> findings = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();

    /** A message that is to join a thread. */
    public record Joining(UUID inbox, UUID thread, AnswerTerms terms) {}

    private record Key(UUID thread, AnswerTerms terms) {}

    private record Question(int number, UUID inbox, UUID thread, AnswerTerms terms) {}

    /**
     * What is known of a thread.
     *
     * @param held the claim of it that has not ended before its time, or null
     * @param isShown whether the claim that the sender shows is, or was, one of this inbox
     */
    private record Finding(
            int number,
            Instant now,
            @Nullable ThreadClaim held,
            boolean isShown,
            @Nullable UUID shownTo,
            AnswerSql.@Nullable ExistingAnswer answer) {
        static Finding read(Row row) {
            AnswerSql.ExistingAnswer answer = AnswerSql.ExistingAnswer.read(row);
            boolean isBound = Boolean.TRUE.equals(row.flagOrNull("shown_bound"));
            return new Finding(
                    row.integer("n"),
                    row.instant("now"),
                    row.textOrNull("claim_id") == null ? null : ClaimSql.read(row),
                    row.textOrNull("shown") != null,
                    isBound ? row.uuidOrNull("shown_holder") : null,
                    answer.name() == null && answer.draft() == null ? null : answer);
        }
    }

    /** Adds a query for those messages that were not asked about yet. */
    public void prefetch(RoundTrip trip, View all, List<Joining> joining) {
        List<Question> questions = new ArrayList<>();
        for (Joining item : joining) {
            Key key = new Key(item.thread, item.terms);
            if (item.terms.matters() && !numbers.containsKey(key)) {
                questions.add(new Question(numbers.size(), item.inbox, item.thread, item.terms));
                numbers.put(key, numbers.size());
            }
        }
        findings.add(trip.query(all, FIND, questions, Finding::read));
    }

    /** Whether one of these messages was not asked about yet. */
    public boolean misses(List<Joining> joining) {
        return joining.stream()
                .anyMatch(item -> item.terms.matters() && !numbers.containsKey(new Key(item.thread, item.terms)));
    }

    /**
     * Refuses a message that may not join its thread; called after the round trip.
     *
     * @throws Problem {@code conflict} when somebody else holds the thread, the claim is over, or there is an answer;
     *     {@code not_found} for a claim that never was
     */
    public void check(UUID thread, AnswerTerms terms) {
        if (!terms.matters()) {
            return;
        }
        int number = Objects.requireNonNull(numbers.get(new Key(thread, terms)));
        Finding finding = findings.stream()
                .flatMap(result -> result.rows().stream())
                .filter(row -> row.number == number)
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Inbox"));
        checkClaim(finding, terms);
        if (finding.answer != null) {
            throw finding.answer.refusal();
        }
    }

    private static void checkClaim(Finding finding, AnswerTerms terms) {
        String shown = terms.claim();
        ThreadClaim held = finding.held != null && finding.held.isLive(finding.now) ? finding.held : null;
        boolean isForeign = finding.shownTo != null && !finding.shownTo.equals(terms.credential());
        if (shown != null && terms.kind() != AnswerTerms.Kind.APPROVED) {
            if (!finding.isShown || isForeign) {
                throw Problem.notFound("Claim");
            }
            if (held == null) {
                throw ThreadClaim.over();
            }
        }
        boolean isBound = terms.kind() != AnswerTerms.Kind.FORWARD || shown != null;
        if (held != null && isBound && !held.id().equals(shown)) {
            throw held.heldByAnother(finding.now);
        }
    }

    /** Notes that a message joins its thread: the claim that it showed ends with it. */
    public void accept(AnswerTerms terms) {
        String shown = terms.claim();
        if (shown != null && !terms.keepsClaim()) {
            ended.add(shown);
        }
    }

    /** Ends the claims of the messages that were accepted. */
    public void appendTo(RoundTrip writes, View all) {
        ClaimSql.appendEnd(writes, all, ended);
    }
}
