package dev.inboxd.submit;

import dev.inboxd.database.Row;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
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
final class OutgoingSql {
    /** Longer than any attempt takes ({@link SmtpTimeouts#whole}). */
    static final Duration LEASE = Duration.ofMinutes(40);

    private OutgoingSql() {}

    /** Organizations with mail to be tried now; a look that locks nothing. */
    static List<UUID> organizationsWithDue(Tx tx) {
        return tx.sqlAcross("select distinct r.organization_id from submission_recipient r where r.due_at <= {now} limit 500")
                .list(row -> row.uuid("organization_id"));
    }

    private record Line(UUID submission, int position, String recipient, int attempts, @Nullable UUID message,
            String reversePath, Instant queuedAt) {
        static Line read(Row row) {
            return new Line(row.uuid("submission_id"), row.integer("position"), row.text("recipient"),
                    row.integer("attempts"), row.uuidOrNull("message_id"), row.text("reverse_path"),
                    row.instant("created_at"));
        }
    }

    /** Recipients of an organization that this process is carrying, whatever their rows say by now. */
    private static final String CARRIED = """
            (select k.submission_id, k.position from unnest(:submissions::uuid[], :positions::integer[])
                 as k (submission_id, position))""";

    /**
     * Claims what is due of an organization; its clock row is locked, so nobody else claims meanwhile.
     *
     * @param carried what this process is carrying of it: it is not taken up twice, though its lease may have run out
     *     while the database was away and its result could not be written down
     */
    static List<Parcel> claim(Tx tx, View view, UUID node, int most, Collection<Parcel> carried) {
        List<Line> lines = tx.sql(view, """
                update submission_recipient r
                set state = 'sending', claimed_by = :node, due_at = {now} + make_interval(secs => :lease), attempts = r.attempts + 1
                from submission s
                where r.organization_id = {organization} and s.organization_id = r.organization_id and s.submission_id = r.submission_id
                  and (r.submission_id, r.position) in (
                      select d.submission_id, d.position from submission_recipient d
                      where d.organization_id = {organization} and d.due_at <= {now}
                        and (d.submission_id, d.position) not in %s
                      order by d.due_at limit :most)
                returning r.submission_id, r.position, r.recipient, r.attempts, s.message_id, s.reverse_path,
                          s.created_at""".formatted(CARRIED))
                .bind("lease", LEASE.toSeconds()).bind("node", node).bind("most", most)
                .bind("submissions", submissions(carried)).bind("positions", positions(carried)).list(Line::read);
        Map<UUID, List<Line>> bySubmission = new LinkedHashMap<>();
        lines.forEach(line -> bySubmission.computeIfAbsent(line.submission, _ -> new ArrayList<>()).add(line));
        return bySubmission.values().stream().map(some -> parcel(view.organization(), some)).toList();
    }

    private static Parcel parcel(UUID organization, List<Line> lines) {
        Line first = lines.getFirst();
        return new Parcel(organization, first.submission, first.message, first.reversePath, first.queuedAt,
                lines.stream().map(line -> new Parcel.Recipient(line.position, line.recipient, line.attempts)).toList());
    }

    /** The inbox that sends; none for mail of the service itself. */
    static Optional<UUID> inbox(Tx tx, View view, UUID submission) {
        return tx.sql(view, "select s.inbox_id from submission s where s.organization_id = {organization}"
                + " and s.submission_id = :submission and s.inbox_id is not null")
                .bind("submission", submission).first(row -> row.uuid("inbox_id"));
    }

    /** The bytes of the service's own mail. */
    static Optional<byte[]> raw(Tx tx, View view, UUID submission) {
        return tx.sql(view, "select s.raw from submission s where s.organization_id = {organization}"
                + " and s.submission_id = :submission and s.raw is not null")
                .bind("submission", submission).first(row -> row.bytes("raw"));
    }

    /**
     * Settles one recipient; a pause of null settles it for good.
     *
     * @return false when this claim of it is over: another attempt has begun, or this one is settled already
     */
    static boolean settle(Tx tx, Parcel parcel, Parcel.Recipient recipient, Outcome outcome, @Nullable Duration pause) {
        return tx.sql(parcel.view(), """
                update submission_recipient r
                set state = :state, last_reply = :reply,
                    due_at = {now} + make_interval(secs => :pause::double precision),
                    settled_at = case when :pause::double precision is null then {now} end
                where r.organization_id = {organization} and r.submission_id = :submission and r.position = :position
                  and r.state = 'sending' and r.attempts = :attempts""")
                .bind("state", outcome.state().wire()).bind("reply", outcome.reply())
                .bind("pause", pause == null ? null : (double) pause.toSeconds())
                .bind("submission", parcel.submission()).bind("position", recipient.position())
                .bind("attempts", recipient.attempts()).run() == 1;
    }

    /** Gives a claim back that was not begun. */
    static void giveBack(Tx tx, Parcel parcel) {
        for (Parcel.Recipient recipient : parcel.recipients()) {
            tx.sql(parcel.view(), """
                    update submission_recipient r set state = 'queued', due_at = {now}, attempts = r.attempts - 1
                    where r.organization_id = {organization} and r.submission_id = :submission
                      and r.position = :position and r.state = 'sending' and r.attempts = :attempts""")
                    .bind("submission", parcel.submission()).bind("position", recipient.position())
                    .bind("attempts", recipient.attempts()).run();
        }
    }

    /** Marks that the message has left for its first recipient; true only the first time. */
    static boolean markHandedOver(Tx tx, Parcel parcel) {
        return tx.sql(parcel.view(), "update submission s set handed_over = true where s.organization_id = {organization}"
                + " and s.submission_id = :submission and not s.handed_over")
                .bind("submission", parcel.submission()).run() == 1;
    }

    /**
     * Takes back claims of this very process that it does not know of: the commit that made them was not heard of.
     *
     * @param carried what it is carrying of the organization
     */
    static int takeBack(Tx tx, View view, UUID node, Collection<Parcel> carried) {
        return tx.sql(view, "update submission_recipient r set state = 'queued', due_at = {now}"
                + " where r.organization_id = {organization} and r.due_at > {now} and r.state = 'sending'"
                + " and r.claimed_by = :node and (r.submission_id, r.position) not in " + CARRIED)
                .bind("node", node).bind("submissions", submissions(carried)).bind("positions", positions(carried)).run();
    }

    private static UUID[] submissions(Collection<Parcel> parcels) {
        return parcels.stream().flatMap(parcel -> parcel.recipients().stream().map(_ -> parcel.submission()))
                .toArray(UUID[]::new);
    }

    private static Integer[] positions(Collection<Parcel> parcels) {
        return parcels.stream().flatMap(parcel -> parcel.recipients().stream()).map(Parcel.Recipient::position)
                .toArray(Integer[]::new);
    }

    /** Organizations with mail that somebody had claimed. */
    static List<UUID> organizationsWithClaims(Tx tx) {
        return tx.sqlAcross("select distinct r.organization_id from submission_recipient r where r.due_at > {now}"
                + " and r.state = 'sending'").list(row -> row.uuid("organization_id"));
    }

    /** Takes back what a stopped process had claimed; what waits for its next attempt keeps its time. */
    static int reclaim(Tx tx, View view) {
        return tx.sql(view, "update submission_recipient r set state = 'queued', due_at = {now}"
                + " where r.organization_id = {organization} and r.due_at > {now} and r.state = 'sending'").run();
    }

    /** A captured message, newest first. */
    record Captured(UUID organization, UUID submission, @Nullable UUID message, String reversePath, String recipient,
            Instant at) {}

    static List<Captured> captured(Tx tx, int most) {
        return tx.sqlAcross("""
                select r.organization_id, r.submission_id, s.message_id, s.reverse_path, r.recipient, r.settled_at
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                where r.state = 'captured' order by r.settled_at desc, r.position limit :most""").bind("most", most)
                .list(row -> new Captured(row.uuid("organization_id"), row.uuid("submission_id"),
                        row.uuidOrNull("message_id"), row.text("reverse_path"), row.text("recipient"),
                        row.instant("settled_at")));
    }
}
