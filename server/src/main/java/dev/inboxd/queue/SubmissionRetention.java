package dev.inboxd.queue;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.OrganizationMark;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * How long it is known what became of mail that left. A submission goes with its last recipient, so that nobody has to
 * look for those without any among all that were sent in the period.
 */
public final class SubmissionRetention {
    /** Of recipients that have their result. */
    public static final Duration SETTLED = Duration.ofDays(30);
    /** The service's own mail holds one-time codes. */
    private static final Duration LETTERS = Duration.ofDays(3);

    private static final String SETTLED_NAME = "submissions";
    private static final String LETTERS_NAME = "letters";
    /** What INBOXD_RETENTION names, and the table. */
    public static final Map<String, String> TABLES =
            Map.of(SETTLED_NAME, "submission_recipient", LETTERS_NAME, "submission");

    private static final String SETTLED_RECIPIENTS = """
            delete from submission_recipient d where {d} and (d.submission_id, d.position) in (
                select r.submission_id, r.position from submission_recipient r
                where r.organization_id = {organization} and r.settled_at < {now} - make_interval(secs => :kept)
                limit :slice)
            returning d.submission_id""";
    private static final String WITHOUT_RECIPIENTS = """
            delete from submission d where {d} and d.submission_id = any (:submissions) and not exists (
                select 1 from submission_recipient r
                where r.organization_id = {organization} and r.submission_id = d.submission_id)""";

    private static final int SLICE = 500;
    private static final int ORGANIZATIONS = 1_000;

    private final Database database;
    private final double settled;
    private final double letters;
    private final BooleanSupplier stopping;

    public SubmissionRetention(Database database, Map<String, Duration> settings, BooleanSupplier stopping) {
        this.database = database;
        this.settled = settings.getOrDefault(SETTLED_NAME, SETTLED).toSeconds();
        this.letters = settings.getOrDefault(LETTERS_NAME, LETTERS).toSeconds();
        this.stopping = stopping;
    }

    /** Removes a slice of one organization; returns its size. */
    private interface Removal {
        int of(Tx tx, View all);
    }

    public void sweep() {
        sweep(
                "select distinct x.organization_id from (select d.organization_id from submission_recipient d"
                        + " where d.settled_at < {now} - make_interval(secs => :kept) and"
                        + OrganizationMark.noneAt("d")
                        + " order by d.settled_at limit " + ORGANIZATIONS + ") as x",
                settled,
                this::recipients);
        sweep(
                "select distinct x.organization_id from (select d.organization_id from submission d"
                        + " where d.message_id is null and d.created_at < {now} - make_interval(secs => :kept)"
                        + " and" + OrganizationMark.noneAt("d") + " order by d.created_at limit " + ORGANIZATIONS
                        + ") as x",
                letters,
                this::letters);
    }

    private void sweep(String organizationsSql, double retention, Removal removal) {
        int removed;
        do {
            removed = 0;
            List<UUID> organizations = database.read(tx -> tx.sqlAcrossTenants(organizationsSql)
                    .bind("kept", retention)
                    .list(row -> row.uuid("organization_id")));
            for (UUID organization : organizations) {
                if (!database.gate().isOpen(organization)) {
                    continue;
                }
                int slice;
                do {
                    slice = database.write(organization, tx -> removal.of(tx, View.of(organization)));
                    removed += slice;
                } while (slice == SLICE && !stopping.getAsBoolean());
            }
        } while (removed > 0 && !stopping.getAsBoolean());
    }

    private int recipients(Tx tx, View all) {
        List<UUID> submissions = tx.sql(all, SETTLED_RECIPIENTS)
                .bind("kept", settled)
                .bind("slice", SLICE)
                .list(row -> row.uuid("submission_id"));
        tx.sql(all, WITHOUT_RECIPIENTS)
                .bind("submissions", submissions.toArray(UUID[]::new))
                .run();
        return submissions.size();
    }

    /** Letters of which every recipient has had its result for so long. */
    private int letters(Tx tx, View all) {
        List<UUID> submissions =
                tx.sql(all, """
                select d.submission_id from submission d
                where {d} and d.message_id is null and d.created_at < {now} - make_interval(secs => :kept)
                  and not exists (
                    select 1 from submission_recipient r
                    where r.organization_id = {organization} and r.submission_id = d.submission_id
                      and (r.settled_at is null or r.settled_at >= {now} - make_interval(secs => :kept)))
                limit :slice""").bind("kept", letters).bind("slice", SLICE).list(row -> row.uuid("submission_id"));
        UUID[] ids = submissions.toArray(UUID[]::new);
        tx.sql(all, "delete from submission_recipient r where {r} and r.submission_id = any (:submissions)")
                .bind("submissions", ids)
                .run();
        tx.sql(all, "delete from submission d where {d} and d.submission_id = any (:submissions)")
                .bind("submissions", ids)
                .run();
        return submissions.size();
    }
}
