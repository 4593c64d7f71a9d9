package dev.inboxd.move;

import dev.inboxd.base.blob.BlobException;
import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.copy.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Copies the blobs that rows name from one store to another, each once, and reads it back. */
final class MoveBlobs implements AutoCloseable {
    private final Blobs source;
    private final Blobs target;
    private final LongConsumer progress;
    private final ComparedBlobs compared = new ComparedBlobs();
    private long count;

    /** @param progress is told how many were looked at */
    MoveBlobs(Blobs source, Blobs target, LongConsumer progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /**
     * Copies those that are not there.
     *
     * @param included the organizations whose blobs they are
     * @param isLast whether every one must be there: before, one may be deleted by the service at any moment
     */
    void copy(Snapshot rows, Predicate<UUID> included, boolean isLast) {
        count = 0;
        compared.begin();
        rows.blobs((organization, name) -> {
            if (included.test(organization)) {
                copy(new BlobKey(organization, name), isLast);
                progress.accept(++count);
            }
        });
    }

    private void copy(BlobKey key, boolean isLast) {
        OptionalLong size = source.size(key);
        if (size.isEmpty()) {
            if (isLast && target.size(key).isEmpty()) {
                throw new MoveException("The blob " + key.path() + " is missing in the store of the source: put it"
                        + " back, from a backup or a disk that is not mounted, and run this again.");
            }
            return;
        }
        OptionalLong targetSize = target.size(key);
        if (targetSize.equals(size) && compared.has(key)) {
            compared.add(key);
            return;
        }
        byte[] sourceDigest = targetSize.equals(size) ? digest(source, key) : put(key, size.getAsLong());
        if (!Arrays.equals(sourceDigest, digest(target, key))) {
            target.delete(key);
            throw new MoveException("The blob " + key.path() + " is not the same in the store of the target after it"
                    + " was copied. Look after that store, and run this again.");
        }
        compared.add(key);
    }

    @Override
    public void close() {
        compared.close();
    }

    private byte[] put(BlobKey key, long size) {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(source.open(key), digest)) {
            target.put(key, in, size);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return digest.digest();
    }

    private static byte[] digest(Blobs blobs, BlobKey key) {
        MessageDigest digest = digest();
        try (InputStream in = new DigestInputStream(blobs.open(key), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (BlobException missing) {
            return new byte[0];
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return digest.digest();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
