package dev.inboxd.queue;

import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import dev.inboxd.tenant.domain.DomainOwners;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inserts of queued submissions, for all submissions of a transaction together. */
final class SubmissionSql {
    /** Without {@code offset 0} the planner would evaluate the expressions at each use. */
    private static final String INTO_RECIPIENTS =
            """
            insert into submission_recipient (organization_id, submission_id, position, recipient, destination, local,
                notify, orcpt, state, claimed_by, attempts, due_at)
            select own.organization_id, r.submission_id, r.position, r.recipient, r.destination, r.local, r.notify, r.orcpt,
                case when r.claimed then 'sending' else 'queued' end, case when r.claimed then r.node end,
                r.claimed::integer, {now} + make_interval(secs => case when r.claimed then r.lease else 0 end)
            from (select r.*, a.address is not null as local,
                      r.node is not null and a.address is null and h.held is null as claimed
                  from {rows} as r
                  left join address a on a.address = r.address and a.inbox_id is not null
                  left join lateral (select true as held from domain_holder h where HOLDS limit 1) as h on true
                  offset 0) as r
            join organization_clock own on {own}
            returning\s""".replace("HOLDS", DomainOwners.HOLDS.formatted("r.hosts", "r.hosts[1]"));

    private static final String RETURNED = "submission_id, position, state = 'sending' as claimed, {now} as at";

    private static final RowStatement<Line> INSERT = RowStatement.of(
            """
            insert into submission (organization_id, submission_id, message_id, inbox_id, reverse_path, raw, ret,
                                    envid, created_at)
            select {organization}, r.*, {now} from {rows} as r""",
            RowStatement.uuid("submission_id", Line::id),
            RowStatement.uuid("message_id", line -> line.contents.message()),
            RowStatement.uuid("inbox_id", line -> line.contents.inbox()),
            RowStatement.text("reverse_path", line -> line.contents.reversePath()),
            RowStatement.bytes("raw", line -> line.contents.raw()),
            RowStatement.text("ret", line -> line.contents.dsn().mail().ret()),
            RowStatement.text("envid", line -> line.contents.dsn().mail().envid()));

    private static final RowStatement<Recipient> INSERT_RECIPIENTS = RowStatement.of(
                    INTO_RECIPIENTS + RETURNED,
                    RowStatement.uuid("submission_id", Recipient::submission),
                    RowStatement.integer("position", Recipient::position),
                    RowStatement.text("recipient", Recipient::address),
                    RowStatement.text("destination", Recipient::destination),
                    RowStatement.text("address", Recipient::mailbox),
                    RowStatement.texts("hosts", Recipient::hosts),
                    RowStatement.text("notify", each -> each.dsn.conditions()),
                    RowStatement.text("orcpt", each -> each.dsn.orcpt()),
                    RowStatement.uuid("node", Recipient::node),
                    RowStatement.integer("lease", Recipient::lease))
            .acrossTenants(INTO_RECIPIENTS + "organization_id as view_organization, " + RETURNED);

    private SubmissionSql() {}

    private record Line(UUID id, SubmissionQueue.NewSubmission contents) {}

    private record Recipient(
            UUID submission,
            int position,
            String address,
            RecipientDsn dsn,
            @Nullable UUID node,
            int lease) {
        String destination() {
            return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        }

        /** The address in the form in which an inbox has it, without a plus and what follows it. */
        String mailbox() {
            String lower = address.toLowerCase(Locale.ROOT);
            int plus = lower.indexOf('+');
            int at = lower.lastIndexOf('@');
            return plus > 0 && plus < at ? lower.substring(0, plus) + lower.substring(at) : lower;
        }

        /** The names under which an organization on this server may own its domain. */
        List<String> hosts() {
            return DomainOwners.names(DomainName.asciiOrItself(destination()));
        }
    }

    /** The row of a recipient after the insert. */
    record RecipientRow(UUID submission, int position, boolean claimed, Instant at) {
        static RecipientRow read(Row row) {
            return new RecipientRow(
                    row.uuid("submission_id"), row.integer("position"), row.flag("claimed"), row.instant("at"));
        }
    }

    static void insert(RoundTrip trip, View view, UUID id, SubmissionQueue.NewSubmission contents) {
        trip.joinChange(view, INSERT, List.of(new Line(id, contents)));
    }

    /**
     * Adds the inserts of the recipients' rows, claimed by the slot's node if there is a slot. Returns the rows of all
     * submissions of the round trip.
     */
    static RoundTrip.Result<RecipientRow> insertRecipients(
            RoundTrip trip,
            View view,
            UUID id,
            SubmissionQueue.NewSubmission contents,
            SubmissionQueue.@Nullable ImmediateSlot slot) {
        UUID node = slot == null ? null : slot.node();
        int lease = slot == null ? 0 : Math.toIntExact(slot.lease().toSeconds());
        return trip.joinQuery(
                view,
                INSERT_RECIPIENTS,
                IntStream.range(0, contents.recipients().size())
                        .mapToObj(i -> new Recipient(
                                id,
                                i + 1,
                                contents.recipients().get(i),
                                contents.dsn().of(i),
                                node,
                                lease))
                        .toList(),
                RecipientRow::read);
    }
}
