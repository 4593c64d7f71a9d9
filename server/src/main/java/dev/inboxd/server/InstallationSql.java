package dev.inboxd.server;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.database.Statement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.config.Settings;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The statements on the one row of an installation. */
final class InstallationSql {
    private static final String NAME = "inboxd";
    /** Of an advisory lock, which nothing else takes. */
    private static final long LOCK = 0x696e626f78644bL;

    private InstallationSql() {}

    /** Waits for other starts until the transaction ends. */
    static void lock(Tx tx) {
        tx.sql("select pg_advisory_xact_lock(:lock) is null as one")
                .bind("lock", LOCK)
                .single(row -> row.flag("one"));
    }

    static Optional<Installation> find(Tx tx) {
        return tx.sql("""
                select i.installation_id, i.mode, i.domain, i.mx_host, i.bounce_host, i.spf_host, i.tracking_host,
                    i.public_url, i.key_check, i.store_id, i.store_marked
                from installation i where i.name = :name""")
                .bind("name", NAME)
                .first(row -> new Installation(
                        row.uuid("installation_id"),
                        Settings.Mode.valueOf(row.text("mode").toUpperCase(Locale.ROOT)),
                        new Settings.Names(
                                Optional.ofNullable(row.textOrNull("public_url"))
                                        .map(URI::create),
                                row.text("domain"),
                                row.text("mx_host"),
                                row.text("bounce_host"),
                                row.text("spf_host"),
                                Optional.ofNullable(row.textOrNull("tracking_host"))),
                        row.bytes("key_check"),
                        row.uuid("store_id"),
                        row.flag("store_marked")));
    }

    /** A few blobs that must be in the store. */
    static List<BlobKey> someBlobs(Tx tx) {
        return tx.sqlAcrossTenants(
                        "select c.organization_id, c.blob from message_content c where c.blob is not null limit 20")
                .list(row -> new BlobKey(row.uuid("organization_id"), row.text("blob")));
    }

    static void insert(Tx tx, Installation installation, Instant now) {
        names(tx.sql("""
                insert into installation (name, installation_id, mode, domain, mx_host, bounce_host, spf_host,
                    tracking_host, public_url, key_check, store_id, store_marked, created_at)
                values (:name, :id, :mode, :domain, :mx, :bounce, :spf,
                    :tracking, :url, :check, :store, false, :now)"""), installation)
                .bind("id", installation.id())
                .bind("check", installation.keyCheck())
                .bind("store", installation.store())
                .bind("now", now)
                .run();
    }

    /** Notes what the settings of this start say. */
    static void update(Tx tx, Installation changed) {
        names(tx.sql("""
                update installation set mode = :mode, domain = :domain, mx_host = :mx, bounce_host = :bounce,
                    spf_host = :spf, tracking_host = :tracking, public_url = :url
                where name = :name"""), changed).run();
    }

    private static Statement names(Statement statement, Installation installation) {
        Settings.Names names = installation.names();
        return statement
                .bind("name", NAME)
                .bind("mode", installation.mode().name().toLowerCase(Locale.ROOT))
                .bind("domain", names.domain())
                .bind("mx", names.mxHost())
                .bind("bounce", names.bounceHost())
                .bind("spf", names.spfHost())
                .bind("tracking", names.trackingHost().orElse(null))
                .bind("url", names.publicUrl().map(URI::toString).orElse(null));
    }

    static void storeMarked(Tx tx) {
        tx.sql("update installation set store_marked = true where name = :name")
                .bind("name", NAME)
                .run();
    }

    static void seal(Tx tx, byte[] keyCheck) {
        tx.sql("update installation set key_check = :check where name = :name")
                .bind("name", NAME)
                .bind("check", keyCheck)
                .run();
    }
}
