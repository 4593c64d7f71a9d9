package dev.inboxd.outbound;

import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
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

/** The rows of mail on its way out, as the worker reads and moves them. Due times are the database's (promise P18). */
final class DeliveryQueueSql {
    /** Longer than a parcel is carried, with the last connection and the last write that may go over the time. */
    static final Duration LEASE = Duration.ofMinutes(40);

    private static final Duration CARRIED_FOR = Duration.ofMinutes(30);

    /** Due recipients of an organization among which a claim chooses. */
    private static final int LOOKED_AT = 500;

    private DeliveryQueueSql() {}

    /** An organization with mail to be tried now: for inboxes of this server, for other servers, or both. */
    record DueOrganization(UUID organization, boolean local, boolean remote) {}

    /**
     * Organizations with mail to be tried now; a look that locks nothing.
     *
     * @param closed destinations that get nothing now
     * @param localFull organizations that get nothing for inboxes of this server now
     * @param remoteFull those that get nothing for other servers
     */
    static List<DueOrganization> due(Tx tx, Collection<String> closed, UUID[] localFull, UUID[] remoteFull) {
        return tx.sqlAcrossTenants("""
                select r.organization_id, bool_or(r.local) as local, not bool_and(r.local) as remote
                from submission_recipient r where r.due_at <= {now} and case when r.local
                    then r.organization_id <> all (:local_full::uuid[])
                    else r.destination <> all (:closed::text[]) and r.organization_id <> all (:remote_full::uuid[]) end
                group by r.organization_id limit 500""")
                .bind("closed", closed)
                .bind("local_full", localFull)
                .bind("remote_full", remoteFull)
                .list(row -> new DueOrganization(row.uuid("organization_id"), row.flag("local"), row.flag("remote")));
    }

    /** Whether an organization has something that could be claimed; a look that locks nothing. */
    static boolean hasDue(Tx tx, View view, ClaimRequest wish) {
        return tx.sql(
                        view,
                        "select 1 as one from submission_recipient r where r.organization_id = {organization}"
                                + " and r.due_at <= {now} and " + (wish.local ? "r.local" : "not r.local")
                                + " and r.destination <> all (:closed::text[]) limit 1")
                .bind("closed", wish.closed())
                .first(row -> row.integer("one"))
                .isPresent();
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

    /** Recipients of an organization that this process is carrying, whatever their rows say by now. */
    private static final String CARRIED = """
            (select k.submission_id, k.position from unnest(:submissions::uuid[], :positions::integer[])
                 as k (submission_id, position))""";

    /**
     * Claims what is due of an organization; its clock row is locked, so nobody else claims meanwhile.
     *
     * @param wish how much, and for whom
     * @param carried what this process is carrying of it: it is not taken up twice, though its lease may have run out
     *     while the database was away and its result could not be written down
     */
    static List<QueueItem> claim(Tx tx, View view, UUID node, ClaimRequest wish, Collection<QueueItem> carried) {
        List<Line> lines = tx.sql(view, """
                update submission_recipient r
                set state = 'sending', claimed_by = :node, due_at = {now} + make_interval(secs => :lease), attempts = r.attempts + 1,
                    held = r.held + (r.state = 'sending')::integer -- who had it never said what came of it
                from submission s
                where r.organization_id = {organization} and s.organization_id = r.organization_id and s.submission_id = r.submission_id
                  and (r.submission_id, r.position) in (
                      select t.submission_id, t.position from (
                          select e.*, row_number() over (partition by e.destination order by e.submission_id, e.position) as turn from (
                              select d.submission_id, d.position, d.due_at, d.destination from submission_recipient d
                              where d.organization_id = {organization} and d.due_at <= {now} and %s
                                and d.destination <> all (:closed::text[])
                                and (d.submission_id, d.position) not in %s
                              order by d.due_at limit :looked) e) t
                      left join unnest(:known::text[], :rooms::integer[]) as k (destination, room)
                          on k.destination = t.destination
                      where t.turn <= coalesce(k.room, :usual)
                      order by t.due_at, t.submission_id, t.position limit :most)
                returning r.submission_id, r.position, r.recipient, r.attempts, r.held, r.destination, r.notify, r.orcpt,
                          r.delay_told, s.message_id, s.inbox_id, s.reverse_path, s.created_at, s.ret, s.envid""".formatted(wish.local ? "d.local" : "not d.local", CARRIED))
                .bind("lease", LEASE.toSeconds())
                .bind("node", node)
                .bind("most", wish.most)
                .bind("looked", LOOKED_AT)
                .bind("closed", wish.closed())
                .bind("known", wish.rooms.keySet())
                .bind("rooms", wish.rooms.values().toArray(Integer[]::new))
                .bind("usual", wish.usual)
                .bind("submissions", submissions(carried))
                .bind("positions", positions(carried))
                .list(Line::read);
        // Each recipient elsewhere has a transaction of its own; what is stored here needs none.
        Map<Object, List<Line>> together = new LinkedHashMap<>();
        lines.forEach(line -> together.computeIfAbsent(wish.local ? line.submission : line, _ -> new ArrayList<>())
                .add(line));
        return together.values().stream()
                .map(some -> parcel(view.organization(), wish.local, some))
                .toList();
    }

    /**
     * What a claim may take.
     *
     * @param most recipients
     * @param local whether for inboxes of this server, which wait for nobody's
     * @param rooms recipients at each destination of which something is known
     * @param usual recipients at each of the others
     */
    record ClaimRequest(int most, boolean local, Map<String, Integer> rooms, int usual) {
        ClaimRequest {
            rooms = Map.copyOf(rooms);
        }

        /** Those that get nothing now. */
        List<String> closed() {
            return rooms.entrySet().stream()
                    .filter(room -> room.getValue() <= 0)
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    private static QueueItem parcel(UUID organization, boolean local, List<Line> lines) {
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
                carriedUntil(),
                lines.stream().map(Line::recipient).toList());
    }

    /** When all attempts of what is claimed now must be over. */
    static long carriedUntil() {
        return System.nanoTime() + CARRIED_FOR.toNanos();
    }

    /** The bytes of the service's own mail. */
    static Optional<byte[]> raw(Tx tx, View view, UUID submission) {
        return tx.sql(
                        view,
                        "select s.raw from submission s where s.organization_id = {organization}"
                                + " and s.submission_id = :submission and s.raw is not null")
                .bind("submission", submission)
                .first(row -> row.bytes("raw"));
    }

    /** A recipient that a claim still holds: no other attempt has begun, and it is not settled. */
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
            RowStatement.integer("position", each -> each.recipient.position()),
            RowStatement.integer("attempts", each -> each.recipient.attempts()));

    /** Adds a look at what the claims of these parcels still hold. */
    static RoundTrip.Result<HeldRecipient> prefetchHeld(RoundTrip trip, View view, Collection<QueueItem> parcels) {
        return trip.query(
                view,
                HELD,
                parcels.stream()
                        .flatMap(parcel -> parcel.recipients().stream()
                                .map(recipient -> new ClaimedRecipient(parcel.submission(), recipient)))
                        .toList(),
                row -> new HeldRecipient(row.uuid("submission_id"), row.integer("position"), row.flag("handed_over")));
    }

    /**
     * How a recipient fared.
     *
     * @param pause until the next attempt; null when it is settled for good
     */
    record RecipientUpdate(
            UUID submission,
            QueueItem.Recipient recipient,
            RecipientOutcome outcome,
            @Nullable Duration pause) {}

    private static final RowStatement<RecipientUpdate> SETTLE = RowStatement.of(
            """
            update submission_recipient r
            set state = x.state, last_reply = x.reply, held = r.held + x.held,
                due_at = {now} + make_interval(secs => x.pause::double precision),
                settled_at = case when x.pause is null then {now} end
            from {rows} as x
            where r.organization_id = {organization} and r.submission_id = x.submission_id and r.position = x.position
              and r.state = 'sending' and r.attempts = x.attempts""",
            RowStatement.uuid("submission_id", RecipientUpdate::submission),
            RowStatement.integer("position", each -> each.recipient.position()),
            RowStatement.integer("attempts", each -> each.recipient.attempts()),
            RowStatement.text("state", each -> each.outcome.state().wireName()),
            RowStatement.text("reply", each -> each.outcome.reply()),
            RowStatement.integer("held", each -> each.outcome.state() == RecipientOutcome.State.HELD ? 1 : 0),
            RowStatement.bigint("pause", each -> each.pause == null ? null : each.pause.toSeconds()));

    /** Adds the writing down of how recipients fared. */
    static void appendResults(RoundTrip trip, View view, List<RecipientUpdate> settled) {
        trip.change(view, SETTLE, settled);
    }

    private static final RowStatement<UUID> HANDED_OVER =
            RowStatement.of("""
            update submission s set handed_over = true from {rows} as x
            where s.organization_id = {organization} and s.submission_id = x.submission_id""", RowStatement.uuid("submission_id", id -> id));

    /** Adds the mark of submissions that they have left for their first recipient. */
    static void markHandedOver(RoundTrip trip, View view, List<UUID> submissions) {
        trip.change(view, HANDED_OVER, submissions);
    }

    private static final RowStatement<UUID> FORGET = RowStatement.of("""
            update submission s set raw = null from {rows} as x
            where s.organization_id = {organization} and s.submission_id = x.submission_id""", RowStatement.uuid("submission_id", id -> id));

    /** Adds the forgetting of bytes that have come where they belong: they quote a message that may be deleted. */
    static void forget(RoundTrip trip, View view, List<UUID> submissions) {
        trip.change(view, FORGET, submissions);
    }

    /** Its sender was told of the delay by mail, which happens once. */
    static void markDelayReported(Tx tx, QueueItem parcel, QueueItem.Recipient recipient) {
        tx.sql(
                        parcel.view(),
                        "update submission_recipient r set delay_told = true where r.organization_id = {organization}"
                                + " and r.submission_id = :submission and r.position = :position")
                .bind("submission", parcel.submission())
                .bind("position", recipient.position())
                .run();
    }

    /** Gives a claim back that was not begun; it counts as no attempt. */
    static void unclaim(Tx tx, QueueItem parcel) {
        for (QueueItem.Recipient recipient : parcel.recipients()) {
            tx.sql(parcel.view(), """
                    update submission_recipient r set state = 'queued', due_at = {now}, held = r.held + 1
                    where r.organization_id = {organization} and r.submission_id = :submission
                      and r.position = :position and r.state = 'sending' and r.attempts = :attempts""")
                    .bind("submission", parcel.submission())
                    .bind("position", recipient.position())
                    .bind("attempts", recipient.attempts())
                    .run();
        }
    }

    /**
     * Frees what a process has claimed and will not carry: it died or leaves, or never heard of the commit of the claim.
     *
     * @param node the process; null for every one
     * @param carried what it is carrying of the organization
     */
    static int release(Tx tx, View view, @Nullable UUID node, Collection<QueueItem> carried) {
        return tx.sql(
                        view,
                        "update submission_recipient r set state = 'queued', due_at = {now}, held = r.held + 1"
                                + " where r.organization_id = {organization} and r.due_at is not null and r.state = 'sending'"
                                + " and (:node::uuid is null or r.claimed_by = :node) and (r.submission_id, r.position) not in "
                                + CARRIED)
                .bind("node", node)
                .bind("submissions", submissions(carried))
                .bind("positions", positions(carried))
                .run();
    }

    private static UUID[] submissions(Collection<QueueItem> parcels) {
        return parcels.stream()
                .flatMap(parcel -> parcel.recipients().stream().map(_ -> parcel.submission()))
                .toArray(UUID[]::new);
    }

    private static Integer[] positions(Collection<QueueItem> parcels) {
        return parcels.stream()
                .flatMap(parcel -> parcel.recipients().stream())
                .map(QueueItem.Recipient::position)
                .toArray(Integer[]::new);
    }

    /** Organizations with mail that a process has claimed, or any when it is null. */
    static List<UUID> claimed(Tx tx, @Nullable UUID node) {
        return tx.sqlAcrossTenants(
                        "select distinct r.organization_id from submission_recipient r where r.due_at is not null"
                                + " and r.state = 'sending' and (:node::uuid is null or r.claimed_by = :node)")
                .bind("node", node)
                .list(row -> row.uuid("organization_id"));
    }

    /** A captured message, newest first. */
    record CapturedMessage(
            UUID organization,
            UUID submission,
            @Nullable UUID message,
            String reversePath,
            String recipient,
            Instant at) {}

    static List<CapturedMessage> captured(Tx tx, int most) {
        return tx.sqlAcrossTenants("""
                select r.organization_id, r.submission_id, s.message_id, s.reverse_path, r.recipient, r.settled_at
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                where r.state = 'captured' order by r.settled_at desc, r.position limit :most""")
                .bind("most", most)
                .list(row -> new CapturedMessage(
                        row.uuid("organization_id"),
                        row.uuid("submission_id"),
                        row.uuidOrNull("message_id"),
                        row.text("reverse_path"),
                        row.text("recipient"),
                        row.instant("settled_at")));
    }
}
