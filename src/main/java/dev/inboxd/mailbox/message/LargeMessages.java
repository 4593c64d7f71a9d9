package dev.inboxd.mailbox.message;

import dev.inboxd.platform.blob.BlobKey;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.io.BoundedStream;
import dev.inboxd.platform.io.BulkReadStream;
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
 * Puts large messages into the blob store before any row names them. What several messages of an organization carry
 * alike is stored once: see {@link SharedChunk}. Not inside a transaction.
 */
public final class LargeMessages {
    private static final int BUFFER = 64 * 1024;

    private final Database database;
    private final Blobs blobs;

    /** Keeps messages in that blob store, and looks in that database for what is there already. */
    public LargeMessages(Database database, Blobs blobs) {
        this.database = database;
        this.blobs = blobs;
    }

    /** The octets of a message, read several times. */
    @FunctionalInterface
    public interface Source {
        /** All octets from the start; the caller closes the stream. */
        InputStream open() throws IOException;
    }

    /** A blob that the message was to share is gone since it was kept; keep it again, sharing nothing. */
    public static final class ChunkGoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ChunkGoneException() {
            super("What the message was to share was deleted meanwhile", null, false, false);
        }
    }

    /**
     * Stores a message's octets.
     *
     * @param size how many there are
     * @param sharing whether it may share what is there already
     */
    public StoredContent store(UUID organization, Source source, long size, StorageResult kept, boolean sharing)
            throws IOException {
        List<Base64Stretch> runs;
        try (InputStream in = source.open()) {
            runs = Base64Stretch.of(in);
        }
        List<SharedChunk> pieces = pieces(organization, source, runs, sharing);
        BlobKey rest = BlobKey.random(organization);
        try (InputStream in = source.open()) {
            blobs.put(
                    rest,
                    new RemainderStream(in, runs),
                    size - runs.stream().mapToLong(Base64Stretch::length).sum());
        }
        return new StoredContent(null, rest.name(), kept.readable.size(), kept.readable, kept.sha256, pieces);
    }

    /**
     * What a message's row says of its octets besides.
     *
     * @param readable what is shown of the message
     * @param sha256 digest of all octets
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record StorageResult(ReadableContent.StoredForm readable, byte[] sha256) {}

    private List<SharedChunk> pieces(UUID organization, Source source, List<Base64Stretch> runs, boolean sharing)
            throws IOException {
        View all = View.of(organization);
        Map<ByteBuffer, String> known = !sharing || runs.isEmpty()
                ? Map.of()
                : database.read(tx -> SharedChunkSql.findKnown(
                        tx, all, runs.stream().map(Base64Stretch::sha256).toList()));
        Map<ByteBuffer, String> fresh = new HashMap<>();
        List<SharedChunk> pieces = new ArrayList<>();
        for (Base64Stretch run : runs) {
            ByteBuffer digest = ByteBuffer.wrap(run.sha256());
            String blob = known.get(digest);
            if (blob == null && !fresh.containsKey(digest)) {
                fresh.put(digest, put(organization, source, run));
            }
            pieces.add(new SharedChunk(
                    run.position(),
                    run.length(),
                    run.line(),
                    run.size(),
                    blob == null ? fresh.getOrDefault(digest, "") : blob,
                    run.sha256(),
                    blob != null));
        }
        return pieces;
    }

    private String put(UUID organization, Source source, Base64Stretch run) throws IOException {
        BlobKey key = BlobKey.random(organization);
        try (InputStream in = source.open()) {
            in.skipNBytes(run.position());
            // The decoder asks for one octet after another, and from a file each would be a call of the system.
            InputStream lines = new BufferedInputStream(new BoundedStream(in, run.length()), BUFFER);
            blobs.put(key, Base64.getMimeDecoder().wrap(lines), run.size());
        }
        return key.name();
    }

    /** Everything but the runs. */
    private static final class RemainderStream extends BulkReadStream {
        private final InputStream in;
        private final List<Base64Stretch> runs;
        private long position;
        private int next;

        RemainderStream(InputStream in, List<Base64Stretch> runs) {
            this.in = in;
            this.runs = runs;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            while (next < runs.size() && position == runs.get(next).position()) {
                in.skipNBytes(runs.get(next).length());
                position += runs.get(next++).length();
            }
            long room = next < runs.size() ? runs.get(next).position() - position : Long.MAX_VALUE;
            int count = in.read(buffer, offset, (int) Math.min(length, room));
            position += Math.max(count, 0);
            return count;
        }
    }
}
