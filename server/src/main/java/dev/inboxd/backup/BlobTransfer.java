package dev.inboxd.backup;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Copies the blobs of a snapshot into a store of backups, those that are not there yet. */
final class BlobTransfer {
    private static final int NAMED = 100;

    private final Blobs source;
    private final BackupStore store;
    private final BackupLease lease;
    private final Consumer<String> progress;
    private final Consumer<String> report;
    private final List<String> missing = new ArrayList<>();
    private long count;
    private long bytes;
    private long newBlobs;
    private long written;
    private int faults;

    /**
     * What hears of it.
     *
     * @param progress is told now and then what is being done
     * @param report gets a sentence for what was found damaged
     */
    record Listeners(Consumer<String> progress, Consumer<String> report) {}

    BlobTransfer(Blobs source, BackupStore store, BackupLease lease, Listeners listeners) {
        this.report = listeners.report;
        this.source = source;
        this.store = store;
        this.lease = lease;
        this.progress = listeners.progress;
    }

    /**
     * Copies them.
     *
     * @param previous a backup whose list says what the blobs in the store are, in the same order; without it they are
     *     read again
     */
    Manifest.BlobList run(BlobNames names, Optional<Manifest> previous) {
        StoredList pages = new StoredList(store);
        PreviousEntries previousEntries = new PreviousEntries(store, previous);
        names.forEach(key -> {
            lease.require();
            BlobEntry entry = entry(key, previousEntries.of(key));
            if (entry == null) {
                if (missing.size() < NAMED) {
                    missing.add(key.path());
                }
                return;
            }
            pages.add(entry.json());
            count++;
            bytes += entry.bytes();
            progress.accept("blobs: " + count + ", " + newBlobs + " new, " + (written >> 20) + " MiB written");
        });
        List<String> listed = pages.end();
        written += pages.written();
        return new Manifest.BlobList(count, bytes, missing, listed);
    }

    long newBlobs() {
        return newBlobs;
    }

    long written() {
        return written;
    }

    /** How many blobs in the store were damaged. */
    int faults() {
        return faults;
    }

    /** The entry of a blob that lies in the store afterwards; null when it is nowhere. */
    private @Nullable BlobEntry entry(BlobKey key, @Nullable BlobEntry before) {
        OptionalLong storedSize = Attempts.of(() -> store.blobs().size(key));
        if (storedSize.isPresent()) {
            if (before != null && before.bytes() == storedSize.getAsLong()) {
                return before;
            }
            BlobEntry same = compared(key, storedSize.getAsLong(), before);
            if (same != null) {
                return same;
            }
        }
        OptionalLong size = Attempts.of(() -> source.size(key));
        if (size.isEmpty()) {
            return null;
        }
        try {
            String sha256 = Attempts.of(() -> copied(source, store.blobs(), key, size.getAsLong()));
            newBlobs++;
            written += size.getAsLong();
            return new BlobEntry(key, size.getAsLong(), sha256);
        } catch (BlobException failure) {
            if (failure.kind() == BlobException.Kind.MISSING) {
                return null;
            }
            throw failure;
        }
    }

    /**
     * What lies in the store and is not as the backup before says, or is in none: it counts when it has the octets that
     * it had, or that the installation has. Else it is put aside.
     */
    private @Nullable BlobEntry compared(BlobKey key, long size, @Nullable BlobEntry before) {
        OptionalLong original = Attempts.of(() -> source.size(key));
        if (original.isEmpty() && before == null) {
            return new BlobEntry(key, size, Attempts.of(() -> digest(store.blobs(), key)));
        }
        if (original.isPresent() && original.getAsLong() == size) {
            String sha256 = Attempts.of(() -> digest(store.blobs(), key));
            if (sha256.equals(Attempts.of(() -> digest(source, key)))) {
                return new BlobEntry(key, size, sha256);
            }
        }
        faults++;
        report.accept("The backup is damaged: the blob " + key.path() + " does not have the content that it had."
                + (original.isPresent() ? " It is written again." : " The installation does not have it any more."));
        store.putAside(store.blobs(), key);
        return null;
    }

    /**
     * Copies a blob. A store reads nothing of one that it has, as after an attempt whose answer was lost; what it has
     * is compared then.
     *
     * @return its digest
     */
    static String copied(Blobs from, Blobs to, BlobKey key, long size) {
        MessageDigest digest = digest();
        boolean isRead;
        try (InputStream in = new DigestInputStream(from.open(key), digest)) {
            to.put(key, in, size);
            isRead = in.read() < 0;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        String sha256 = isRead ? HexFormat.of().formatHex(digest.digest()) : digest(from, key);
        if (!isRead && !sha256.equals(digest(to, key))) {
            to.delete(key);
            throw new UncheckedIOException(new IOException("an attempt left half a blob"));
        }
        return sha256;
    }

    /** The digest of a blob in a store. */
    static String digest(Blobs blobs, BlobKey key) {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(blobs.open(key), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The entries of an earlier backup, read beside the keys of a later one: both are in the same order. */
    private static final class PreviousEntries {
        private final BackupStore store;
        private final Iterator<String> pages;
        private Iterator<BlobEntry> page = List.<BlobEntry>of().iterator();
        private @Nullable BlobEntry next;

        PreviousEntries(BackupStore store, Optional<Manifest> previous) {
            this.store = store;
            this.pages = previous.map(manifest -> manifest.blobs().pages())
                    .orElse(List.of())
                    .iterator();
        }

        @Nullable
        BlobEntry of(BlobKey key) {
            while (next == null || next.key().path().compareTo(key.path()) < 0) {
                if (!page.hasNext() && !turn()) {
                    return null;
                }
                next = page.next();
            }
            return next.key().equals(key) ? next : null;
        }

        private boolean turn() {
            if (!pages.hasNext()) {
                return false;
            }
            List<BlobEntry> entries = new ArrayList<>();
            try {
                StoredList.forEachEntry(store, pages.next(), line -> entries.add(BlobEntry.of(line)));
            } catch (DamagedException damage) {
                return turn(); // its blobs are compared with the originals
            }
            page = entries.iterator();
            return page.hasNext();
        }
    }
}
