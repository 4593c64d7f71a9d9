package dev.inboxd.sandbox.mail;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** SQL on the mail that was captured instead of leaving. */
public final class CapturedMailSql {
    private CapturedMailSql() {}

    /** A captured message. */
    record CapturedMessage(
            UUID organization,
            UUID submission,
            @Nullable UUID message,
            String reversePath,
            String recipient,
            Instant at) {}

    /**
     * Which captured messages are asked for.
     *
     * @param organization null: of all
     * @param recipient an address; null: to all
     * @param since when they were captured at the earliest; null: at any time
     */
    record CapturedFilter(
            @Nullable UUID organization,
            @Nullable String recipient,
            @Nullable Instant since) {}

    /** The octets of mail of the service itself, which no inbox has. */
    public static Optional<byte[]> raw(Tx tx, View view, UUID submission) {
        return tx.sql(
                        view,
                        "select s.raw from submission s where s.organization_id = {organization}"
                                + " and s.submission_id = :submission and s.raw is not null")
                .bind("submission", submission)
                .first(row -> row.bytes("raw"));
    }

    static List<CapturedMessage> captured(Tx tx, CapturedFilter filter, int max) {
        return tx.sqlAcrossTenants("""
                select r.organization_id, r.submission_id, s.message_id, s.reverse_path, r.recipient, r.settled_at
                from submission_recipient r
                join submission s on s.organization_id = r.organization_id and s.submission_id = r.submission_id
                where r.state = 'captured' and (:organization::uuid is null or r.organization_id = :organization)
                  and (:recipient::text is null or lower(r.recipient) = lower(:recipient))
                  and (:since::timestamptz is null or r.settled_at >= :since)
                order by r.settled_at desc, r.position limit :most""")
                .bind("organization", filter.organization)
                .bind("recipient", filter.recipient)
                .bind("since", filter.since)
                .bind("most", max)
                .list(row -> new CapturedMessage(
                        row.uuid("organization_id"),
                        row.uuid("submission_id"),
                        row.uuidOrNull("message_id"),
                        row.text("reverse_path"),
                        row.text("recipient"),
                        row.instant("settled_at")));
    }
}
