package dev.inboxd.smtp.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes one {@link Spool}. Not safe for concurrent use. */
final class SpoolWriter implements AutoCloseable {
    private static final int FIRST_CAPACITY = 8 * 1024;

    private final Spools spools;
    private byte[] memory = new byte[FIRST_CAPACITY];
    private int reserved;
    private long size;
    private @Nullable Path file;
    private @Nullable FileChannel channel;

    SpoolWriter(Spools spools) {
        this.spools = spools;
    }

    long size() {
        return size;
    }

    void write(byte[] buffer, int from, int to) throws IOException {
        int length = to - from;
        if (channel == null && hasRoom(length)) {
            System.arraycopy(buffer, from, memory, (int) size, length);
        } else {
            append(toFile(), buffer, from, length);
        }
        size += length;
    }

    /** Ends the message. The spool owns the memory or the file from then on. */
    Spool finish(int clientStart, String contentDigest) throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
        int held = reserved;
        Spool.Measure measure = new Spool.Measure(size, clientStart, contentDigest);
        Spool spool = new Spool(memory, file, measure, () -> spools.release(held));
        reserved = 0;
        file = null;
        return spool;
    }

    /** Discards the message unless it was finished. */
    @Override
    public void close() throws IOException {
        spools.release(reserved);
        reserved = 0;
        if (channel != null) {
            channel.close();
        }
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }

    private boolean hasRoom(int more) {
        long needed = size + more;
        if (needed <= memory.length) {
            return true;
        }
        int capacity = (int) Math.min(spools.memoryPerMessage(), Math.max(needed, 2L * memory.length));
        if (needed > capacity || !spools.reserve(capacity - reserved)) {
            return false;
        }
        reserved = capacity;
        memory = Arrays.copyOf(memory, capacity);
        return true;
    }

    private FileChannel toFile() throws IOException {
        if (channel == null) {
            file = spools.newFile();
            channel = FileChannel.open(file, Spools.FILE_OPTIONS);
            append(channel, memory, 0, (int) size);
            memory = new byte[0];
            spools.release(reserved);
            reserved = 0;
        }
        return channel;
    }

    private static void append(FileChannel channel, byte[] buffer, int from, int length) throws IOException {
        ByteBuffer remaining = ByteBuffer.wrap(buffer, from, length);
        while (remaining.hasRemaining()) {
            channel.write(remaining);
        }
    }
}
