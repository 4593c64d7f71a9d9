package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.database.copy.Snapshot;
import dev.inboxd.base.database.copy.TableDigest;
import dev.inboxd.base.database.copy.TableLayout;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A backup.
 *
 * @param id its name: the time in UTC and some random digits
 * @param source the installation
 * @param at when its snapshot was taken
 * @param version of the program that made it
 * @param migrations those of its tables
 * @param keys the fingerprint of each master key that the program had, for people; which key opens its secrets is told
 *     by the source's check value
 * @param tables its tables
 * @param blobs its blobs
 * @param seal what vouches for it; null while it is made
 */
public record Manifest(
        String id,
        Snapshot.Identity source,
        Instant at,
        String version,
        List<String> migrations,
        List<String> keys,
        List<Table> tables,
        BlobList blobs,
        @Nullable ManifestSeal seal) {
    private static final int FORM = 1;
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS").withZone(ZoneOffset.UTC);

    public Manifest {
        migrations = List.copyOf(migrations);
        keys = List.copyOf(keys);
        tables = List.copyOf(tables);
    }

    /**
     * A table of a backup.
     *
     * @param layout its columns
     * @param digest of its rows as they are stored, with sealed secrets
     * @param pages the digests of the pages that list its chunks
     */
    record Table(TableLayout layout, TableDigest digest, List<String> pages) {
        Table {
            pages = List.copyOf(pages);
        }
    }

    /**
     * The blobs of a backup.
     *
     * @param count how many
     * @param bytes of all
     * @param missing those that rows name and that were not in the store, by their paths; at most some
     * @param pages the digests of the pages that list them
     */
    record BlobList(long count, long bytes, List<String> missing, List<String> pages) {
        BlobList {
            missing = List.copyOf(missing);
            pages = List.copyOf(pages);
        }
    }

    /** A new name, which sorts behind those of earlier backups. */
    static String newId(Instant at) {
        byte[] random = new byte[4];
        ThreadLocalRandom.current().nextBytes(random); // only so that two are not the same
        return NAME.format(at) + HexFormat.of().formatHex(random);
    }

    BlobKey key() {
        return new BlobKey(source.id(), id);
    }

    /** How many rows there are. */
    public long rows() {
        return tables.stream().mapToLong(table -> table.digest.rows()).sum();
    }

    /** How many octets the rows have. */
    public long bytes() {
        return tables.stream().mapToLong(table -> table.digest.bytes()).sum();
    }

    /** How many blobs there are. */
    public long blobCount() {
        return blobs.count;
    }

    /** How many octets the blobs have. */
    public long blobBytes() {
        return blobs.bytes;
    }

    /** The paths of blobs that rows name and that were not in the store; at most some. */
    public List<String> missingBlobs() {
        return blobs.missing;
    }

    /**
     * Sees that it can be restored here.
     *
     * @param vault with the keys that are here
     * @throws BackupException when none of them opens its secrets
     * @throws dev.inboxd.base.database.SchemaException when it is of a later version than this program
     */
    public void require(Vault vault) {
        try {
            vault.open("check value", source.keyCheck());
        } catch (Vault.KeyException another) {
            throw new BackupException("The secrets of the backup were sealed with a master key that is not here. Name a"
                    + " file with it by --source-key-file: the original's secret.key, or one with its"
                    + " INBOXD_SECRET_KEY. Nothing was written.");
        }
        Migrations.requireKnown(migrations);
    }

    /**
     * What vouches for it, to whoever has these keys.
     *
     * @return null when all is well; else a sentence for people
     * @throws BackupException when somebody without the keys wrote or changed it
     */
    public @Nullable String requireSeal(Vault vault) {
        ManifestSeal.State state = seal == null ? ManifestSeal.State.ABSENT : seal.state(vault);
        return switch (state) {
            case VALID -> null;
            case ABSENT ->
                "The backup " + id
                        + " has no seal: somebody removed it, or it was made by an earlier version or without"
                        + " the master key. That nobody changed it is not shown.";
            case WRONG ->
                throw new DamagedException("The seal of the backup " + id + " was not made with a master key that is"
                        + " here: somebody changed its manifest, or it was sealed with another key. Name that key with"
                        + " --secret-key-file or --source-key-file, or use another backup.");
        };
    }

    /** Whether it has a seal, of whatever key. */
    boolean isSealed() {
        return seal != null && seal.mac() != null;
    }

    /** What lies in the store: sealed when there is a key. */
    byte[] content(Optional<Vault> vault) {
        byte[] json = Json.write(json());
        return vault.map(keys -> ManifestSeal.sealed(json, keys)).orElse(json);
    }

    JsonObject json() {
        return JsonObject.of("form", FORM)
                .with("id", id)
                .with("installation_id", source.id())
                .with("store_id", source.store())
                .with("key_check", Base64.getEncoder().encodeToString(source.keyCheck()))
                .with("key_fingerprints", keys)
                .with("at", at.toString())
                .with("version", version)
                .with("migrations", migrations)
                .with("tables", tables.stream().map(Manifest::json).toList())
                .with(
                        "blobs",
                        JsonObject.of("count", blobs.count)
                                .with("bytes", blobs.bytes)
                                .with("missing", blobs.missing)
                                .with("pages", blobs.pages));
    }

    private static JsonObject json(Table table) {
        return JsonObject.of("table", table.layout.table())
                .with(
                        "columns",
                        table.layout.columns().stream().map(Manifest::json).toList())
                .with(
                        "key",
                        table.layout.key().stream()
                                .map(TableLayout.Column::name)
                                .toList())
                .with("rows", table.digest.rows())
                .with("bytes", table.digest.bytes())
                .with("sha256", table.digest.sha256())
                .with("pages", table.pages);
    }

    private static JsonObject json(TableLayout.Column column) {
        return JsonObject.of("name", column.name()).with("type", column.type()).with("collated", column.collated());
    }

    static Manifest of(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        Map<?, ?> json = Members.object(Json.stored(text));
        if (Members.number(json, "form") != FORM) {
            throw new BackupException("The backup was made by a later version of inboxd, in a form that this one does"
                    + " not read: use that version or a later one.");
        }
        Map<?, ?> blobs = Members.object(json.get("blobs"));
        return new Manifest(
                Members.text(json, "id"),
                new Snapshot.Identity(
                        UUID.fromString(Members.text(json, "installation_id")),
                        Base64.getDecoder().decode(Members.text(json, "key_check")),
                        UUID.fromString(Members.text(json, "store_id"))),
                Instant.parse(Members.text(json, "at")),
                Members.text(json, "version"),
                Members.texts(json, "migrations"),
                Members.texts(json, "key_fingerprints"),
                Members.objects(json, "tables").stream().map(Manifest::table).toList(),
                new BlobList(
                        Members.number(blobs, "count"),
                        Members.number(blobs, "bytes"),
                        Members.texts(blobs, "missing"),
                        Members.texts(blobs, "pages")),
                ManifestSeal.of(text));
    }

    private static Table table(Map<?, ?> json) {
        String name = Members.text(json, "table");
        List<TableLayout.Column> columns = Members.objects(json, "columns").stream()
                .map(column -> new TableLayout.Column(
                        Members.text(column, "name"),
                        Members.text(column, "type"),
                        Boolean.TRUE.equals(column.get("collated"))))
                .toList();
        List<TableLayout.Column> key = Members.texts(json, "key").stream()
                .map(columnName -> columns.stream()
                        .filter(column -> column.name().equals(columnName))
                        .findFirst()
                        .orElseThrow(() -> new DamagedException("The backup is damaged: a key has no column.")))
                .toList();
        return new Table(
                new TableLayout(name, columns, key),
                new TableDigest(
                        name,
                        Members.number(json, "rows"),
                        Members.number(json, "bytes"),
                        Members.text(json, "sha256")),
                Members.texts(json, "pages"));
    }
}
