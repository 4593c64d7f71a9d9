package dev.inboxd.queue;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.tenant.domain.DomainOwners;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.Duration;
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
            insert into submission_recipient as s (organization_id, submission_id, position, recipient, destination,
                local, notify, orcpt, state, claimed_by, attempts, due_at)
            select {organization}::uuid, r.submission_id, r.position, r.recipient, r.destination, r.local, r.notify,
                r.orcpt, case when r.claimed then 'sending' else 'queued' end, case when r.claimed then r.node end,
                r.claimed::integer, {now} + make_interval(secs => case when r.claimed then r.lease else 0 end)
            from (select r.*, a.address is not null as local,
                      r.node is not null and a.address is null and h.held is null as claimed
                  from {rows} as r
                  left join address a on a.address = r.address and a.inbox_id is not null
                  left join lateral (select true as held from domain_holder h where HOLDS limit 1) as h on true
                  offset 0) as r
            returning\s""".replace("HOLDS", DomainOwners.HOLDS.formatted("r.hosts", "r.hosts[1]"));

    /**
     * On Citus, where an INSERT that reads other tables runs on several nodes or through two: what it would read is
     * looked up before. Every node has a copy of the domains; an address is asked for where it lies, by its key.
     */
    private static final RowStatement<Recipient> LOOK_UP = RowStatement.of(
            """
            select r.position, h.held is not null as held
            from {rows} as r
            left join lateral (select true as held from domain_holder h where HOLDS limit 1) as h on true
            where {organization}::uuid is not null\
            """.replace("HOLDS", DomainOwners.HOLDS.formatted("r.hosts", "r.hosts[1]")),
            RowStatement.integer("position", Recipient::position),
            RowStatement.texts("hosts", Recipient::hosts));

    private static final String RETURNED = "s.submission_id, s.position, s.state = 'sending' as claimed, {now} as at";

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
                    RowStatement.text("notify", recipient -> recipient.dsn.conditions()),
                    RowStatement.text("orcpt", recipient -> recipient.dsn.orcpt()),
                    RowStatement.uuid("node", Recipient::node),
                    RowStatement.integer("lease", Recipient::lease))
            .acrossTenants(INTO_RECIPIENTS + "s.organization_id as view_organization, " + RETURNED);

    private static final RowStatement<LookedUp> INSERT_LOOKED_UP = RowStatement.of(
            """
            insert into submission_recipient as s (organization_id, submission_id, position, recipient, destination,
                local, notify, orcpt, state, claimed_by, attempts, due_at)
            select {organization}, r.submission_id, r.position, r.recipient, r.destination, r.local, r.notify, r.orcpt,
                r.state, r.node, r.attempts, {now} + make_interval(secs => r.lease)
            from {rows} as r
            returning s.submission_id, s.position, s.state = 'sending' as claimed, s.due_at as at""",
            RowStatement.uuid("submission_id", lookedUp -> lookedUp.recipient.submission),
            RowStatement.integer("position", lookedUp -> lookedUp.recipient.position),
            RowStatement.text("recipient", lookedUp -> lookedUp.recipient.address),
            RowStatement.text("destination", lookedUp -> lookedUp.recipient.destination()),
            RowStatement.flag("local", LookedUp::local),
            RowStatement.text("notify", lookedUp -> lookedUp.recipient.dsn.conditions()),
            RowStatement.text("orcpt", lookedUp -> lookedUp.recipient.dsn.orcpt()),
            RowStatement.text("state", lookedUp -> lookedUp.claimed ? "sending" : "queued"),
            RowStatement.uuid("node", lookedUp -> lookedUp.claimed ? lookedUp.recipient.node : null),
            RowStatement.integer("attempts", lookedUp -> lookedUp.claimed ? 1 : 0),
            RowStatement.integer("lease", lookedUp -> lookedUp.claimed ? lookedUp.recipient.lease : 0));

    private SubmissionSql() {}

    /**
     * A recipient of whom it is known whether the address has an inbox here.
     *
     * @param claimed whether the node of the transaction delivers to it
     */
    private record LookedUp(Recipient recipient, boolean local, boolean claimed) {
        static List<LookedUp> all(Tx tx, View view, List<Recipient> recipients) {
            RoundTrip trip = tx.roundTrip();
            RoundTrip.Result<LookedUp> results = trip.query(view, LOOK_UP, recipients, row -> {
                Recipient recipient = recipients.get(row.integer("position") - 1);
                return new LookedUp(recipient, false, recipient.node != null && !row.flag("held"));
            });
            trip.run();
            return results.rows().stream()
                    .map(lookedUp ->
                            AddressDirectory.isOpen(tx, lookedUp.recipient.address) ? lookedUp.asLocal() : lookedUp)
                    .toList();
        }

        /** The same at an inbox of this server, which takes its mail in another way. */
        private LookedUp asLocal() {
            return new LookedUp(recipient, true, false);
        }
    }

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
        /** The row, when its time is the end of the claim's lease. */
        private RecipientRow before(Duration lease) {
            return claimed ? new RecipientRow(submission, position, true, at.minus(lease)) : this;
        }

        static RecipientRow read(Row row) {
            return new RecipientRow(
                    row.uuid("submission_id"), row.integer("position"), row.flag("claimed"), row.instant("at"));
        }
    }

    /**
     * A submission with its slot.
     *
     * @param slot the slot for immediate delivery, or null
     */
    record Addressed(SubmissionQueue.NewSubmission contents, SubmissionQueue.@Nullable ImmediateSlot slot) {
        /** How long a claim of the slot's node lasts; nothing without a slot. */
        Duration lease() {
            return slot == null ? Duration.ZERO : slot.lease();
        }
    }

    static void insert(RoundTrip trip, View view, UUID id, SubmissionQueue.NewSubmission contents) {
        trip.joinChange(view, INSERT, List.of(new Line(id, contents)));
    }

    /**
     * Adds the inserts of the recipients' rows, claimed by the slot's node if there is a slot. Returns the rows of all
     * submissions of the round trip; {@link #rowsOf} picks those of one.
     */
    static RoundTrip.Result<RecipientRow> insertRecipients(
            Tx tx, RoundTrip trip, View view, UUID id, Addressed addressed) {
        SubmissionQueue.NewSubmission contents = addressed.contents;
        SubmissionQueue.@Nullable ImmediateSlot slot = addressed.slot;
        UUID node = slot == null ? null : slot.node();
        int lease = Math.toIntExact(addressed.lease().toSeconds());
        List<Recipient> recipients = IntStream.range(0, contents.recipients().size())
                .mapToObj(i -> new Recipient(
                        id, i + 1, contents.recipients().get(i), contents.dsn().of(i), node, lease))
                .toList();
        return tx.isOnCitus()
                ? trip.joinQuery(view, INSERT_LOOKED_UP, LookedUp.all(tx, view, recipients), RecipientRow::read)
                : trip.joinQuery(view, INSERT_RECIPIENTS, recipients, RecipientRow::read);
    }

    /** The rows of one submission, each with the time of its insert. */
    static List<RecipientRow> rowsOf(Tx tx, UUID id, Addressed addressed, List<RecipientRow> inserted) {
        return inserted.stream()
                .filter(row -> row.submission.equals(id))
                .map(row -> tx.isOnCitus() ? row.before(addressed.lease()) : row)
                .toList();
    }
}
