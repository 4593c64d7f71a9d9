package dev.inboxd.submission;

import dev.inboxd.database.Batched;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Row;
import dev.inboxd.database.View;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of what is queued, as they are made; those of one transaction together. */
final class SubmissionSql {
    private static final String INTO_RECIPIENTS = """
            insert into submission_recipient (organization_id, submission_id, position, recipient, destination, local,
                notify, orcpt, state, claimed_by, attempts, due_at)
            select {organization}, r.submission_id, r.position, r.recipient, lower(substring(r.recipient from '[^@]*$')), l.local,
                r.notify, r.orcpt, case when c.claimed then 'sending' else 'queued' end, case when c.claimed then r.node end,
                c.claimed::integer, {now} + make_interval(secs => case when c.claimed then r.lease else 0 end)
            from {rows} as r
            cross join lateral (select exists (select 1 from address a where a.inbox_id is not null
                and a.address = regexp_replace(lower(r.recipient), '[+][^@]*@', '@')) as local) as l
            cross join lateral (select r.node is not null and not l.local as claimed) as c
            returning\s""";

    private static final String MADE = "submission_id, position, state = 'sending' as claimed, {now} as at";

    private static final Batched<Line> INSERT = Batched.of("""
            insert into submission (organization_id, submission_id, message_id, inbox_id, reverse_path, raw, ret, envid, created_at)
            select {organization}, r.*, {now} from {rows} as r""",
            Batched.uuid("submission_id", Line::id), Batched.uuid("message_id", line -> line.contents.message()),
            Batched.uuid("inbox_id", line -> line.contents.inbox()),
            Batched.text("reverse_path", line -> line.contents.reversePath()),
            Batched.bytes("raw", line -> line.contents.raw()), Batched.text("ret", line -> line.contents.dsn().mail().ret()),
            Batched.text("envid", line -> line.contents.dsn().mail().envid()));

    private static final Batched<Recipient> INSERT_RECIPIENTS = Batched.of(INTO_RECIPIENTS + MADE,
            Batched.uuid("submission_id", Recipient::submission), Batched.integer("position", Recipient::position),
            Batched.text("recipient", Recipient::address), Batched.text("notify", each -> each.dsn.conditions()),
            Batched.text("orcpt", each -> each.dsn.orcpt()), Batched.uuid("node", Recipient::node),
            Batched.integer("lease", Recipient::lease))
            .across(INTO_RECIPIENTS + "organization_id as view_organization, " + MADE);

    private SubmissionSql() {}

    private record Line(UUID id, Submissions.NewSubmission contents) {}

    private record Recipient(UUID submission, int position, String address, RecipientDsn dsn, @Nullable UUID node, int lease) {}

    /** A recipient's row as it was made. */
    record Made(UUID submission, int position, boolean claimed, Instant at) {
        static Made read(Row row) {
            return new Made(row.uuid("submission_id"), row.integer("position"), row.flag("claimed"), row.instant("at"));
        }
    }

    static void insert(RoundTrip trip, View view, UUID id, Submissions.NewSubmission contents) {
        trip.joinChange(view, INSERT, List.of(new Line(id, contents)));
    }

    /** Adds the recipients' rows, claimed by who carries them, and tells of all that the round trip makes. */
    static RoundTrip.Pending<Made> insertRecipients(RoundTrip trip, View view, UUID id, Submissions.NewSubmission contents,
            Submissions.@Nullable Handover handover) {
        UUID node = handover == null ? null : handover.node();
        int lease = handover == null ? 0 : Math.toIntExact(handover.lease().toSeconds());
        return trip.joinLook(view, INSERT_RECIPIENTS, IntStream.range(0, contents.recipients().size()).mapToObj(i -> new Recipient(
                id, i + 1, contents.recipients().get(i), contents.dsn().of(i), node, lease)).toList(), Made::read);
    }
}
