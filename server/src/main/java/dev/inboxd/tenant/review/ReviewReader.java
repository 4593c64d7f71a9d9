package dev.inboxd.tenant.review;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who may decide what waits.
 *
 * @param humanEmail the address
 * @param toldAt when the last mail went; null: none did
 * @param lookedAt when that person last looked at what waits; null: never while something did
 * @param isMuted whether that person wants no such mail
 */
public record ReviewReader(
        String humanEmail,
        @Nullable Instant toldAt,
        @Nullable Instant lookedAt,
        boolean isMuted) {
    /** Between two mails to one person. */
    private static final Duration INTERVAL = Duration.ofHours(1);

    private static final String PEOPLE = """
            select p.human_email, r.told_at, r.looked_at, coalesce(r.muted, false) as muted
            from (select o.human_email from organization o
                  where o.organization_id = {organization} and o.human_email is not null
                    and o.type not in ('agent_unverified', 'operator')
                  union
                  select m.human_email from person m
                  where m.organization_id = {organization} and m.role in ('approve', 'own') and m.seen_at is not null) p
            join human h on h.human_email = p.human_email and h.organization_id = {organization}
            left join review_reader r on r.organization_id = {organization} and r.human_email = p.human_email""";

    private static final String MARK_NOTIFIED = """
            insert into review_reader (organization_id, human_email, told_at, muted)
            values ({organization}, :human, {now}, false)
            on conflict (organization_id, human_email) do update set told_at = excluded.told_at""";

    private static final String LOOKED = """
            insert into review_reader (organization_id, human_email, looked_at, muted)
            values ({organization}, :human, {now}, false)
            on conflict (organization_id, human_email) do update set looked_at = excluded.looked_at""";

    private static final String MUTE = """
            insert into review_reader (organization_id, human_email, muted) values ({organization}, :human, :muted)
            on conflict (organization_id, human_email) do update set muted = excluded.muted""";

    /** The person of a session, and whether something waits that the person has not looked at. */
    public record Visitor(ReviewReader reader, boolean isNews) {}

    /** Whether a mail is owed for what waits since then. */
    public boolean isOwed(Instant since) {
        return !isMuted && (lookedAt == null || lookedAt.isBefore(since)) && (toldAt == null || toldAt.isBefore(since));
    }

    /** When the next mail may go. */
    public Instant from(Instant now) {
        Instant next = toldAt == null ? now : toldAt.plus(INTERVAL);
        return next.isBefore(now) ? now : next;
    }

    /**
     * The people of an organization who may decide: who answers for it, and whoever of them has been at the console.
     * Nobody whom an agent named and who has not confirmed it, and nobody who was invited and has not come.
     */
    public static List<ReviewReader> of(Tx tx, UUID organization) {
        return tx.sql(View.of(organization), PEOPLE).list(ReviewReader::of);
    }

    private static ReviewReader of(Row row) {
        return new ReviewReader(
                row.text("human_email"),
                row.instantOrNull("told_at"),
                row.instantOrNull("looked_at"),
                row.flag("muted"));
    }

    /** The person of a session. */
    public static Optional<Visitor> of(Tx tx, UUID organization, UUID session) {
        return tx.sql(View.of(organization), """
                select s.human_email, r.told_at, r.looked_at, coalesce(r.muted, false) as muted,
                       n.since is not null and (r.looked_at is null or r.looked_at < n.since) as news
                from console_session s left join review_notice n on n.organization_id = {organization}
                left join review_reader r on r.organization_id = {organization} and r.human_email = s.human_email
                where s.organization_id = {organization} and s.session_id = :session""")
                .bind("session", session)
                .first(row -> new Visitor(of(row), row.flag("news")));
    }

    /** Remembers that a mail went. */
    public void markNotified(Tx tx, UUID organization) {
        tx.sql(View.of(organization), MARK_NOTIFIED).bind("human", humanEmail).run();
    }

    /** Remembers that the person has looked. */
    public void looked(Tx tx, UUID organization) {
        tx.sql(View.of(organization), LOOKED).bind("human", humanEmail).run();
    }

    /** Remembers whether the person wants no mail. */
    public void mute(Tx tx, UUID organization, boolean isUnwanted) {
        tx.sql(View.of(organization), MUTE)
                .bind("human", humanEmail)
                .bind("muted", isUnwanted)
                .run();
    }
}
