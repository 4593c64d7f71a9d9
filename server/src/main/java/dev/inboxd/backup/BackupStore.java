package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.copy.RowChunk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Where backups lie: a folder or a part of a bucket with three stores. {@code rows} has chunks of rows and lists of
 * them, deflated, each under the SHA-256 of what it inflates to; {@code blobs} has the blobs under their own keys;
 * {@code manifests} has a manifest for each backup, which is written last. {@code damaged} has what was found damaged,
 * and counts as nothing.
 */
public final class BackupStore implements AutoCloseable {
    /** Digests are unique by themselves, so the first part of their keys says nothing. */
    private static final UUID ROWS = new UUID(0, 0);

    private final Blobs rows;
    private final Blobs blobs;
    private final Blobs manifests;
    private final Blobs damaged;

    BackupStore(Blobs rows, Blobs blobs, Blobs manifests, Blobs damaged) {
        this.rows = rows;
        this.blobs = blobs;
        this.manifests = manifests;
        this.damaged = damaged;
    }

    /**
     * Opens the place of backups. A folder is made when it is not there, for its owner alone.
     *
     * @param url as {@link Blobs#at} takes it
     * @throws IllegalArgumentException when it is malformed
     */
    public static BackupStore at(String url) {
        if (!url.startsWith("s3:")) {
            makePrivate(Path.of(url.startsWith("file:") ? url.replaceFirst("^file:(//(?=/))?", "") : url));
        }
        return new BackupStore(
                Blobs.at(below(url, "rows")),
                Blobs.at(below(url, "blobs")),
                Blobs.at(below(url, "manifests")),
                Blobs.at(below(url, "damaged")));
    }

    private static void makePrivate(Path folder) {
        try {
            if (Files.notExists(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The folder " + folder + " cannot be made", e);
        }
    }

    private static String below(String url, String name) {
        int query = url.startsWith("s3:") ? url.indexOf('?') : -1;
        String path = query < 0 ? url : url.substring(0, query);
        return path + (path.endsWith("/") ? "" : "/") + name + (query < 0 ? "" : url.substring(query));
    }

    /** The rows of the backups, and the lists of them. */
    Blobs rows() {
        return rows;
    }

    /** The blobs of the backups. */
    Blobs blobs() {
        return blobs;
    }

    Blobs manifests() {
        return manifests;
    }

    /** What was found damaged. */
    Blobs damaged() {
        return damaged;
    }

    /** Where rows or lists lie that have this digest. */
    static BlobKey rowKey(String sha256) {
        return new BlobKey(ROWS, sha256);
    }

    /** The store of a key of rows or blobs. */
    Blobs place(BlobKey key) {
        return isOfRows(key) ? rows : blobs;
    }

    /** Whether it is the key of rows, and of no blob. */
    static boolean isOfRows(BlobKey key) {
        return key.organization().equals(ROWS);
    }

    /**
     * What was stored.
     *
     * @param octets how many lie there
     * @param isNew whether they were written now
     */
    record Stored(long octets, boolean isNew) {
        /** How many octets were written now. */
        long written() {
            return isNew ? octets : 0;
        }
    }

    /** Stores content under its digest, unless it is there. */
    Stored put(String sha256, byte[] content) {
        BlobKey key = rowKey(sha256);
        OptionalLong storedSize = Attempts.of(() -> rows.size(key));
        if (storedSize.isPresent()) {
            return new Stored(storedSize.getAsLong(), false);
        }
        byte[] deflated = deflated(content);
        put(rows, key, deflated);
        return new Stored(deflated.length, true);
    }

    private static void put(Blobs place, BlobKey key, byte[] content) {
        Attempts.of(() -> {
            place.put(key, new ByteArrayInputStream(content), content.length);
            return key;
        });
    }

    /**
     * Reads content.
     *
     * @throws DamagedException when it is missing, or is not what the digest says
     */
    byte[] content(String sha256) {
        byte[] content;
        try {
            content = Attempts.of(() -> inflated(sha256));
        } catch (BlobException missing) {
            throw damaged(sha256, "is missing");
        } catch (UncheckedIOException unreadable) {
            throw damaged(sha256, "cannot be read (" + unreadable.getMessage() + ")");
        }
        if (!RowChunk.sha256(content).equals(sha256)) {
            throw damaged(sha256, "does not have the content that it had");
        }
        return content;
    }

    private byte[] inflated(String sha256) {
        try (InputStream in = new InflaterInputStream(rows.open(new BlobKey(ROWS, sha256)))) {
            return in.readAllBytes();
        } catch (ZipException changed) {
            throw damaged(sha256, "does not have the content that it had");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable.getMessage(), unreadable);
        }
    }

    /** The backups of every installation that are whole, the oldest first. */
    public List<BlobKey> all() {
        List<BlobKey> backups = new ArrayList<>();
        manifests.walk(stored -> backups.add(stored.key()));
        backups.sort((first, second) -> first.name().compareTo(second.name()));
        return backups;
    }

    /** Writes a manifest; the backup is there from now on. */
    void put(BlobKey key, byte[] manifest) {
        put(manifests, key, manifest);
    }

    /**
     * Reads the manifest of a backup.
     *
     * @throws BackupException when it is not what a backup wrote
     */
    public Manifest manifest(BlobKey key) {
        byte[] content;
        try (InputStream in = manifests.open(key)) {
            content = in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The backup " + key.name() + " cannot be read", unreadable);
        }
        try {
            Manifest manifest = Manifest.of(content);
            if (manifest.key().equals(key)) {
                return manifest;
            }
        } catch (BackupException failure) {
            throw failure;
        } catch (RuntimeException malformed) {
            // told below: what lies there is no manifest
        }
        throw new DamagedException("The backup " + key.name() + " is damaged: its manifest does not have the content"
                + " that it had. inboxd backup --verify names the last good one.");
    }

    /** The backup of an id, or the newest one. */
    public Manifest manifest(String id) {
        return all().reversed().stream()
                .filter(key -> id.isEmpty() || key.name().equals(id))
                .findFirst()
                .map(this::manifest)
                .orElseThrow(() -> none(id));
    }

    static BackupException none(String id) {
        return new BackupException(
                id.isEmpty() ? "There is no backup that came to its end." : "There is no backup " + id + ".");
    }

    /**
     * Deletes all backups but the newest: their manifests first, then what they alone named.
     *
     * @param backupsToKeep how many stay, at least one; while no backup runs
     * @return kept backups that are damaged, because of which nothing but old manifests was deleted
     */
    public List<String> keep(int backupsToKeep) {
        try (PruneList list = PruneList.of(this, backupsToKeep)) {
            return list.run();
        }
    }

    /**
     * Puts something aside that is damaged: it does not count as there from now on, so that the next backup writes it
     * again. What cannot be read stays where it is, with an empty note aside that says so. What has no octets is not
     * kept.
     */
    void putAside(Blobs place, BlobKey key) {
        OptionalLong size = place.size(key);
        if (size.isEmpty()) {
            return;
        }
        damaged.delete(key); // of an earlier time
        if (size.getAsLong() == 0) {
            place.delete(key);
            return;
        }
        try (InputStream in = place.open(key)) {
            damaged.put(key, in, size.getAsLong());
        } catch (BlobException | IOException | UncheckedIOException unreadable) {
            damaged.delete(key);
            put(damaged, key, new byte[0]);
            return;
        }
        place.delete(key);
    }

    private static byte[] deflated(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(content.length / 2);
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try (OutputStream out = new DeflaterOutputStream(bytes, deflater, 1 << 16)) {
            out.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    /** Where rows or lists of this digest lie, for people. */
    static String path(String sha256) {
        return "rows/" + rowKey(sha256).path();
    }

    private static DamagedException damaged(String sha256, String how) {
        return new DamagedException("The backup is damaged: " + path(sha256) + " " + how
                + ". inboxd backup --verify puts it aside, so that the next backup writes it again, and names the last"
                + " good backup.");
    }

    @Override
    public void close() {
        rows.close();
        blobs.close();
        manifests.close();
        damaged.close();
    }
}
