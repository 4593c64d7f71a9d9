package dev.inboxd.backup;

import dev.inboxd.platform.blob.BlobException;
import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.copy.RowChunk;
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
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Where backups lie: a folder or a part of a bucket with three stores. {@code rows} has chunks of rows and lists of
 * them, deflated, each under the SHA-256 of what it inflates to; {@code blobs} has the blobs under their own keys;
 * {@code manifests} has a manifest for each backup, which is written last.
 */
public final class BackupStore implements AutoCloseable {
    /** Digests are unique by themselves, so the first part of their keys says nothing. */
    private static final UUID ROWS = new UUID(0, 0);

    private final Blobs rows;
    private final Blobs blobs;
    private final Blobs manifests;

    private BackupStore(Blobs rows, Blobs blobs, Blobs manifests) {
        this.rows = rows;
        this.blobs = blobs;
        this.manifests = manifests;
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
                Blobs.at(below(url, "rows")), Blobs.at(below(url, "blobs")), Blobs.at(below(url, "manifests")));
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

    /** The blobs of the backups. */
    Blobs blobs() {
        return blobs;
    }

    /**
     * Stores content under its digest, unless it is there.
     *
     * @return how many octets were written
     */
    long put(String sha256, byte[] content) {
        BlobKey key = new BlobKey(ROWS, sha256);
        if (Attempts.of(() -> rows.size(key)).isPresent()) {
            return 0;
        }
        byte[] deflated = deflated(content);
        put(rows, key, deflated);
        return deflated.length;
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
     * @throws BackupException when it is missing, or is not what the digest says
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
        List<BlobKey> found = new ArrayList<>();
        manifests.walk(stored -> found.add(stored.key()));
        found.sort((one, other) -> one.name().compareTo(other.name()));
        return found;
    }

    /** Writes a manifest; the backup is there from now on. */
    void put(Manifest manifest) {
        put(manifests, manifest.key(), manifest.content());
    }

    /** Reads the manifest of a backup. */
    public Manifest manifest(BlobKey key) {
        try (InputStream in = manifests.open(key)) {
            return Manifest.of(in.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The backup " + key.name() + " cannot be read", unreadable);
        }
    }

    /** The backup of an id, or the newest one. */
    public Manifest manifest(String id) {
        return all().reversed().stream()
                .filter(key -> id.isEmpty() || key.name().equals(id))
                .findFirst()
                .map(this::manifest)
                .orElseThrow(() -> new BackupException(
                        id.isEmpty() ? "There is no backup that came to its end." : "There is no backup " + id + "."));
    }

    /**
     * Deletes all backups but the newest: their manifests first, then what they alone named.
     *
     * @param kept how many stay, at least one; while no backup runs
     */
    public void keep(int kept) {
        PruneList list = PruneList.of(this, kept);
        list.manifests().forEach(manifests::delete);
        rows.walk(stored -> {
            if (!list.isNeeded(stored.key().name())) {
                rows.delete(stored.key());
            }
        });
        blobs.walk(stored -> {
            if (!list.isNeeded(stored.key().path())) {
                blobs.delete(stored.key());
            }
        });
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

    private static BackupException damaged(String sha256, String how) {
        return new BackupException("The backup is damaged: rows/" + sha256.substring(0, 2) + "/" + sha256 + " " + how
                + ". Use another copy of it, or an older backup.");
    }

    @Override
    public void close() {
        rows.close();
        blobs.close();
        manifests.close();
    }
}
