package dev.inboxd.outbound;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of the delivery queue. Due times are compared with the database's clock (promise P18). */
final class DeliveryQueueSql {
    /** Lease of a claim: longer than the delivery limit, with the connection and the write that may exceed it. */
    static final Duration LEASE = Duration.ofMinutes(40);

    private static final Duration DELIVERY_LIMIT = Duration.ofMinutes(30);

    /** Due recipients of an organization from which a claim selects. */
    private static final int CANDIDATES = 500;

    private DeliveryQueueSql() {}

    /** When the next mail of an organization is due, without what waits for the end of a stop. */
    static final String NEXT = "select r.due_at from submission_recipient r"
            + " where r.organization_id = {organization} and r.due_at is not null"
            + SendingStopSql.R + " order by r.due_at limit 1";

    /** The due mail of an organization: for inboxes of this server, for other servers, or both. */
    record DueMail(boolean local, boolean remote) {}

    /**
     * What mail of an organization is due; locks nothing.
     *
     * @param closed destinations that get no mail now
     */
    static DueMail due(Tx tx, View all, Collection<String> closed) {
        return tx.sql(all, """
                select coalesce(bool_or(r.local), false) as local, coalesce(bool_or(not r.local), false) as remote
                from submission_recipient r
                where r.organization_id = {organization} and r.due_at <= {now}
                  and (r.local or r.destination <> all (:closed::text[])) %s""".formatted(SendingStopSql.R))
                .bind("closed", closed)
                .single(row -> new DueMail(row.flag("local"), row.flag("remote")));
    }

    /** Whether an organization has mail that could be claimed; locks nothing. */
    static boolean hasDue(Tx tx, View view, ClaimRequest request) {
        return tx.sql(
                        view,
                        "select 1 as one from submission_recipient r where r.organization_id = {organization}"
                                + " and r.due_at <= {now} and " + (request.local ? "r.local" : "not r.local")
                                + " and r.destination <> all (:closed::text[])" + SendingStopSql.R + " limit 1")
                .bind("closed", request.closed())
                .exists();
    }

    private record Line(
            UUID submission,
            QueueItem.Recipient recipient,
            @Nullable UUID message,
            @Nullable UUID inbox,
            String reversePath,
            Instant queuedAt,
            MailDsn dsn,
            String destination) {
        static Line read(Row row) {
            QueueItem.Recipient recipient = new QueueItem.Recipient(
                    row.integer("position"),
                    row.text("recipient"),
                    row.integer("attempts"),
                    row.integer("held"),
                    new RecipientDsn(row.text("notify"), row.text("orcpt")),
                    row.flag("delay_told"));
            return new Line(
                    row.uuid("submission_id"),
                    recipient,
                    row.uuidOrNull("message_id"),
                    row.uuidOrNull("inbox_id"),
                    row.text("reverse_path"),
                    row.instant("created_at"),
                    new MailDsn(row.text("ret"), row.text("envid")),
                    row.text("destination"));
        }
    }

    /** The recipients of an organization that this process is delivering, whatever the state of their rows. */
    private static final String IN_PROGRESS = """
            (select k.submission_id, k.position from unnest(:submissions::uuid[], :positions::integer[])
                 as k (submission_id, position))""";

    /**
     * Claims due mail of an organization under the lock of its clock row, except what this process is delivering: a
     * lease may have expired while the database was away. What was being sent was held up by a claim without a result.
     */
    static List<QueueItem> claim(Tx tx, View view, UUID node, ClaimRequest request, Collection<QueueItem> inProgress) {
        List<Line> lines = tx.sql(view, """
                update submission_recipient r
                set state = 'sending', claimed_by = :node, due_at = {now} + make_interval(secs => :lease),
                    attempts = r.attempts + 1, held = r.held + (r.state = 'sending')::integer
                from submission s
                where r.organization_id = {organization} and s.organization_id = r.organization_id
                  and s.submission_id = r.submission_id and (r.submission_id, r.position) in (
                      select t.submission_id, t.position from (
                          select e.*, row_number() over (partition by e.destination
                                  order by e.submission_id, e.position) as turn from (
                              select d.submission_id, d.position, d.due_at, d.destination from submission_recipient d
                              where d.organization_id = {organization} and d.due_at <= {now} and %s
                                and d.destination <> all (:closed::text[])
                                and (d.submission_id, d.position) not in %s
                              order by d.due_at limit :looked) e) t
                      left join unnest(:known::text[], :rooms::integer[]) as k (destination, room)
                          on k.destination = t.destination
                      where t.turn <= coalesce(k.room, :usual)
                      order by t.due_at, t.submission_id, t.position limit :most)
                returning r.submission_id, r.position, r.recipient, r.attempts, r.held, r.destination, r.notify,
                          r.orcpt, r.delay_told, s.message_id, s.inbox_id, s.reverse_path, s.created_at,
                          s.ret, s.envid""".formatted(SendingStopSql.claimed(request.local), IN_PROGRESS))
                .bind("lease", LEASE.toSeconds())
                .bind("node", node)
                .bind("most", request.max)
                .bind("looked", CANDIDATES)
                .bind("closed", request.closed())
                .bind("known", request.limits.keySet())
                .bind("rooms", request.limits.values().toArray(Integer[]::new))
                .bind("usual", request.defaultLimit)
                .bind("submissions", submissions(inProgress))
                .bind("positions", positions(inProgress))
                .list(Line::read);
        return items(view, request, lines);
    }

    /** Each recipient at another server has its own mail transaction; recipients here are stored together. */
    private static List<QueueItem> items(View view, ClaimRequest request, List<Line> lines) {
        Map<Object, List<Line>> together = new LinkedHashMap<>();
        lines.forEach(line -> together.computeIfAbsent(request.local ? line.submission : line, _ -> new ArrayList<>())
                .add(line));
        return together.values().stream()
                .map(recipientLines -> item(view.organization(), request.local, recipientLines))
                .toList();
    }

    /**
     * The limits of a claim.
     *
     * @param max number of recipients
     * @param local whether for inboxes of this server, which wait for no destination
     * @param limits number of recipients at each known destination
     * @param defaultLimit number of recipients at each other destination
     */
    record ClaimRequest(int max, boolean local, Map<String, Integer> limits, int defaultLimit) {
        ClaimRequest {
            limits = Map.copyOf(limits);
        }

        /** The destinations that get no mail now. */
        List<String> closed() {
            return limits.entrySet().stream()
                    .filter(limit -> limit.getValue() <= 0)
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    private static QueueItem item(UUID organization, boolean local, List<Line> lines) {
        Line first = lines.getFirst();
        return new QueueItem(
                organization,
                first.submission,
                first.message,
                first.inbox,
                first.reversePath,
                first.queuedAt,
                first.dsn,
                first.destination,
                local,
                deliveryDeadline(),
                lines.stream().map(Line::recipient).toList());
    }

    /** The deadline of all attempts of an item claimed now, by {@link System#nanoTime}. */
    static long deliveryDeadline() {
        return System.nanoTime() + DELIVERY_LIMIT.toNanos();
    }

    /** The octets of mail of the service itself. */
    static Optional<byte[]> raw(Tx tx, View view, UUID submission) {
        return tx.sql(
                        view,
                        "select s.raw from submission s where s.organization_id = {organization}"
                                + " and s.submission_id = :submission and s.raw is not null")
                .bind("submission", submission)
                .first(row -> row.bytes("raw"));
    }

    /** A recipient that a claim still holds: it was not claimed again, and has no result. */
    record HeldRecipient(UUID submission, int position, boolean handedOver) {}

    private record ClaimedRecipient(UUID submission, QueueItem.Recipient recipient) {}

    private static final RowStatement<ClaimedRecipient> HELD = RowStatement.of(
            """
            select {tenant}r.submission_id, r.position, s.handed_over
            from {rows} as c
             join submission_recipient r on r.organization_id = {organization} and r.submission_id = c.submission_id
                                        and r.position = c.position and r.attempts = c.attempts
             join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
            where r.state = 'sending'""",
            RowStatement.uuid("submission_id", ClaimedRecipient::submission),
            RowStatement.integer("position", claimed -> claimed.recipient.position()),
            RowStatement.integer("attempts", claimed -> claimed.recipient.attempts()));

    /** Adds the query of the recipients that the claims of these items still hold. */
    static RoundTrip.Result<HeldRecipient> prefetchHeld(RoundTrip trip, View view, Collection<QueueItem> items) {
        return trip.query(
                view,
                HELD,
                items.stream()
                        .flatMap(item -> item.recipients().stream()
                                .map(recipient -> new ClaimedRecipient(item.submission(), recipient)))
                        .toList(),
                row -> new HeldRecipient(row.uuid("submission_id"), row.integer("position"), row.flag("handed_over")));
    }

    /** The result of an attempt for one recipient; {@code pause} until the next one is null when it is final. */
    record RecipientUpdate(
            UUID submission,
            QueueItem.Recipient recipient,
            RecipientOutcome outcome,
            @Nullable Duration pause) {}

    private static final RowStatement<RecipientUpdate> UPDATE_RESULTS = RowStatement.of(
            """
            update submission_recipient r
            set state = x.state, last_reply = x.reply, held = r.held + x.held,
                due_at = ({now} at time zone 'UTC' + make_interval(secs => x.pause::float8)) at time zone 'UTC',
                settled_at = ({now} at time zone 'UTC' + case when x.pause is null then interval '0' end)
                    at time zone 'UTC'
            from {rows} as x
            where r.organization_id = {organization} and r.submission_id = x.submission_id and r.position = x.position
              and r.state = 'sending' and r.attempts = x.attempts""",
            RowStatement.uuid("submission_id", RecipientUpdate::submission),
            RowStatement.integer("position", update -> update.recipient.position()),
            RowStatement.integer("attempts", update -> update.recipient.attempts()),
            RowStatement.text("state", update -> update.outcome.state().wireName()),
            RowStatement.text("reply", update -> update.outcome.reply()),
            RowStatement.integer("held", update -> update.outcome.state() == RecipientOutcome.State.HELD ? 1 : 0),
            RowStatement.bigint("pause", update -> update.pause == null ? null : update.pause.toSeconds()));

    /** Adds the update of recipients with their results. */
    static void appendResults(RoundTrip trip, View view, List<RecipientUpdate> settled) {
        trip.change(view, UPDATE_RESULTS, settled);
    }

    private static final RowStatement<UUID> HANDED_OVER =
            RowStatement.of("""
            update submission s set handed_over = true from {rows} as x
            where s.organization_id = {organization}
              and s.submission_id = x.submission_id""", RowStatement.uuid("submission_id", id -> id));

    /** Adds the mark that submissions were handed over for a first recipient. */
    static void markHandedOver(RoundTrip trip, View view, List<UUID> submissions) {
        trip.change(view, HANDED_OVER, submissions);
    }

    private static final RowStatement<UUID> CLEAR_RAW =
            RowStatement.of("""
            update submission s set raw = null from {rows} as x
            where s.organization_id = {organization}
              and s.submission_id = x.submission_id""", RowStatement.uuid("submission_id", id -> id));

    /** Clears the content of delivered reports: they quote a message that may be deleted. */
    static void forget(RoundTrip trip, View view, List<UUID> submissions) {
        trip.change(view, CLEAR_RAW, submissions);
    }

    /** Records that the delay was reported to the sender by mail, which happens once. */
    static void markDelayReported(Tx tx, QueueItem item, QueueItem.Recipient recipient) {
        tx.sql(
                        item.view(),
                        "update submission_recipient r set delay_told = true where r.organization_id = {organization}"
                                + " and r.submission_id = :submission and r.position = :position")
                .bind("submission", item.submission())
                .bind("position", recipient.position())
                .run();
    }

    /** Gives a claim back without an attempt; it does not count in the retry schedule. */
    static void unclaim(Tx tx, QueueItem item) {
        for (QueueItem.Recipient recipient : item.recipients()) {
            tx.sql(item.view(), """
                    update submission_recipient r set state = 'queued', due_at = {now}, held = r.held + 1
                    where r.organization_id = {organization} and r.submission_id = :submission
                      and r.position = :position and r.state = 'sending' and r.attempts = :attempts""")
                    .bind("submission", item.submission())
                    .bind("position", recipient.position())
                    .bind("attempts", recipient.attempts())
                    .run();
        }
    }

    /** Releases the claims of a process, without those in progress here. */
    static int release(Tx tx, View view, UUID node, Collection<QueueItem> inProgress) {
        return tx.sql(
                        view,
                        "update submission_recipient r set state = 'queued', due_at = {now}, held = r.held + 1"
                                + " where r.organization_id = {organization} and r.due_at is not null"
                                + " and r.state = 'sending' and r.claimed_by = :node"
                                + " and (r.submission_id, r.position) not in " + IN_PROGRESS)
                .bind("node", node)
                .bind("submissions", submissions(inProgress))
                .bind("positions", positions(inProgress))
                .run();
    }

    private static UUID[] submissions(Collection<QueueItem> items) {
        return items.stream()
                .flatMap(item -> item.recipients().stream().map(_ -> item.submission()))
                .toArray(UUID[]::new);
    }

    private static Integer[] positions(Collection<QueueItem> items) {
        return items.stream()
                .flatMap(item -> item.recipients().stream())
                .map(QueueItem.Recipient::position)
                .toArray(Integer[]::new);
    }
}
