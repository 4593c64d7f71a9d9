package dev.inboxd;

import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.database.Database;
import dev.inboxd.database.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How long what is kept: stated here for every table that does not live as long as its inbox or organization. Old rows
 * go in slices, organization by organization, like every other change (architecture §8.1). Failed deliveries are kept
 * three days by the webhooks themselves.
 */
final class Retention {
    private static final int SLICE = 500;
    private static final Duration ORPHANED_BLOB = Duration.ofHours(24);

    private final Database database;
    private final Blobs blobs;
    private final InstantSource clock;
    private final List<Rule> rules;
    private Instant blobsSweptAt = Instant.EPOCH;

    /**
     * One table's rule.
     *
     * @param name how INBOXD_RETENTION names it
     * @param table the table, whose rows are named {@code d}
     * @param key its key behind the organization
     * @param since the time from which a row's age counts; rows without it stay
     * @param kept how old it may become
     */
    private record Rule(String name, String table, String key, String since, Duration kept) {
        Rule changed(Map<String, Duration> settings) {
            return new Rule(name, table, key, since, settings.getOrDefault(name, kept));
        }
    }

    /** The usual durations; settings may name others. */
    private static final List<Rule> USUAL = List.of(
            // A sender gives up within five days (RFC 5321 §4.5.4.1).
            new Rule("redeliveries", "redelivery", "d.digest", "d.at", Duration.ofDays(7)),
            new Rule("idempotency", "send_memory", "d.key", "d.expires_at", Duration.ZERO),
            // The service's own mail holds one-time codes.
            new Rule("letters", "submission_recipient", "d.submission_id, d.position",
                    "case when exists (select 1 from submission s where s.organization_id = d.organization_id"
                    + " and s.submission_id = d.submission_id and s.message_id is null) then d.settled_at end",
                    Duration.ofDays(3)),
            new Rule("submissions", "submission_recipient", "d.submission_id, d.position", "d.settled_at",
                    Duration.ofDays(30)),
            new Rule("submissions", "submission", "d.submission_id",
                    "case when not exists (select 1 from submission_recipient r where r.organization_id = d.organization_id"
                    + " and r.submission_id = d.submission_id) then d.created_at end", Duration.ofDays(1)));

    Retention(Database database, Blobs blobs, InstantSource clock, Map<String, Duration> settings) {
        this.database = database;
        this.blobs = blobs;
        this.clock = clock;
        this.rules = USUAL.stream().map(rule -> rule.changed(settings)).toList();
    }

    /** Removes what is old; run now and then on every node. */
    void sweep() {
        rules.forEach(this::sweep);
        if (blobsSweptAt.plus(ORPHANED_BLOB).isBefore(clock.instant())) {
            sweepBlobs();
            blobsSweptAt = clock.instant();
        }
    }

    private void sweep(Rule rule) {
        String old = rule.since + " < {now} - make_interval(secs => :kept)";
        List<UUID> organizations = database.read(tx -> tx.sqlAcross("select distinct d.organization_id from " + rule.table
                + " d where " + old + " limit 1000").bind("kept", rule.kept.toSeconds())
                .list(row -> row.uuid("organization_id")));
        String delete = "delete from " + rule.table + " d where d.organization_id = {organization} and (" + rule.key
                + ") in (select " + rule.key + " from " + rule.table + " d where d.organization_id = {organization} and "
                + old + " limit " + SLICE + ")";
        for (UUID organization : organizations) {
            int removed;
            do {
                removed = database.write(organization, tx -> tx.sql(View.of(organization), delete)
                        .bind("kept", rule.kept.toSeconds()).run());
            } while (removed == SLICE);
        }
    }

    /** A blob is written before its row; one without a row after a day never gets one (promise P1). */
    private void sweepBlobs() {
        Instant youngest = clock.instant().minus(ORPHANED_BLOB);
        List<BlobKey> old = new ArrayList<>();
        blobs.walk(blob -> {
            if (blob.storedAt().isBefore(youngest)) {
                old.add(blob.key());
            }
        });
        for (BlobKey key : old) {
            boolean used = database.read(tx -> tx.sql(View.of(key.organization()), "select 1 as one from message_content c"
                    + " where c.organization_id = {organization} and c.blob = :blob").bind("blob", key.name())
                    .first(row -> row.integer("one")).isPresent());
            if (!used) {
                blobs.delete(key);
            }
        }
    }
}
