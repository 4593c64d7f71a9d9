package dev.inboxd.mailbox.content;

import dev.inboxd.base.blob.BlobKey;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.errand.Errands;
import dev.inboxd.mail.io.BoundedStream;
import dev.inboxd.mail.io.BulkReadStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes large messages to the blob store before any row names them. Base64 stretches that several messages of an
 * organization have in common are stored once: see {@link SharedChunk}. Not inside a transaction.
 */
public final class LargeMessages {
    private static final int BUFFER = 64 * 1024;

    private final Database database;
    private final Blobs blobs;

    /** Writes messages to that blob store, and looks known chunks up in that database. */
    public LargeMessages(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    /** The octets of a message, which are read several times. */
    @FunctionalInterface
    public interface Source {
        /** All octets from the start; the caller closes the stream. */
        InputStream open() throws IOException;
    }

    /**
     * A shared blob was deleted between {@link #store} and the transaction. Store the message again, without sharing.
     */
    public static final class ChunkGoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public ChunkGoneException() {
            super("A blob that the message shares was deleted meanwhile", null, false, false);
        }
    }

    /**
     * Writes a message's octets to the blob store.
     *
     * @param sharing whether the message may share blobs of other messages
     * @return the row's content; the transaction that stores it checks the shared blobs
     */
    public StoredContent store(UUID organization, NewContent content, boolean sharing) throws IOException {
        List<Base64Stretch> stretches;
        try (InputStream in = content.octets.open()) {
            stretches = Base64Stretch.of(in);
        }
        List<SharedChunk> chunks = chunks(organization, content.octets, stretches, sharing);
        BlobKey remainder = BlobKey.random(organization);
        try (InputStream in = content.octets.open()) {
            put(
                    remainder,
                    new RemainderStream(in, stretches),
                    content.size
                            - stretches.stream()
                                    .mapToLong(Base64Stretch::length)
                                    .sum());
        }
        return new StoredContent(
                null, remainder.name(), content.readable.size(), content.readable, content.sha256, chunks);
    }

    /**
     * A message to store.
     *
     * @param size number of octets
     * @param readable the parsed message in its stored form
     * @param sha256 digest of all octets
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record NewContent(Source octets, long size, ReadableContent.StoredForm readable, byte[] sha256) {}

    private List<SharedChunk> chunks(UUID organization, Source source, List<Base64Stretch> stretches, boolean sharing)
            throws IOException {
        View all = View.of(organization);
        Map<ByteBuffer, String> blobsByDigest = !sharing || stretches.isEmpty()
                ? Map.of()
                : database.read(tx -> SharedChunkSql.findKnown(
                        tx, all, stretches.stream().map(Base64Stretch::sha256).toList()));
        Map<ByteBuffer, String> fresh = new HashMap<>();
        List<SharedChunk> chunks = new ArrayList<>();
        for (Base64Stretch stretch : stretches) {
            ByteBuffer digest = ByteBuffer.wrap(stretch.sha256());
            String blob = blobsByDigest.get(digest);
            if (blob == null && !fresh.containsKey(digest)) {
                fresh.put(digest, put(organization, source, stretch));
            }
            chunks.add(new SharedChunk(
                    stretch.position(),
                    stretch.length(),
                    stretch.line(),
                    stretch.size(),
                    blob == null ? fresh.getOrDefault(digest, "") : blob,
                    stretch.sha256(),
                    blob != null));
        }
        return chunks;
    }

    private String put(UUID organization, Source source, Base64Stretch stretch) throws IOException {
        BlobKey key = BlobKey.random(organization);
        try (InputStream in = source.open()) {
            in.skipNBytes(stretch.position());
            // The decoder reads octet by octet, and each read from a file would be a system call.
            InputStream lines = new BufferedInputStream(new BoundedStream(in, stretch.length()), BUFFER);
            put(key, Base64.getMimeDecoder().wrap(lines), stretch.size());
        }
        return key.name();
    }

    /** In a trial the rows that would name a blob are taken back, and it need not be there. */
    private void put(BlobKey key, InputStream content, long size) {
        if (!Errands.isTrial()) {
            blobs.put(key, content, size);
        }
    }

    /** Everything but the stretches. */
    private static final class RemainderStream extends BulkReadStream {
        private final InputStream in;
        private final List<Base64Stretch> stretches;
        private long position;
        private int next;

        RemainderStream(InputStream in, List<Base64Stretch> stretches) {
            this.in = in;
            this.stretches = stretches;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            while (next < stretches.size() && position == stretches.get(next).position()) {
                in.skipNBytes(stretches.get(next).length());
                position += stretches.get(next++).length();
            }
            long room = next < stretches.size() ? stretches.get(next).position() - position : Long.MAX_VALUE;
            int count = in.read(buffer, offset, (int) Math.min(length, room));
            position += Math.max(count, 0);
            return count;
        }
    }
}
