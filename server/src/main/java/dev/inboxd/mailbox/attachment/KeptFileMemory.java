package dev.inboxd.mailbox.attachment;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.memory.HeapShare;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.OutgoingAttachment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many octets of {@link KeptFiles} this process has in memory at a time, over all calls (promise P15). Calls wait
 * for each other here, and are refused when that takes too long.
 */
public final class KeptFileMemory {
    private static final int LEAST = 1 << 20;
    /** As much as the files of one request may have. */
    private static final int MOST = 30 << 20;

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final int all;
    private final Semaphore octets;
    private final Duration patience;

    /** The bound by the heap of this process. */
    public KeptFileMemory() {
        this(Math.clamp(HeapShare.REQUESTS.octets(), LEAST, MOST), PATIENCE);
    }

    KeptFileMemory(int all, Duration patience) {
        this.all = all;
        this.octets = new Semaphore(all, true);
        this.patience = patience;
    }

    /** The part of one call; closed when its files are in no memory any more. */
    @FunctionalInterface
    public interface Room extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Room for files that were fetched, before they are read.
     *
     * @throws Problem {@code unprocessable} when there is never so much room, {@code service_unavailable} when there is
     *     none now
     */
    public Room enter(List<OutgoingAttachment> attachments, AttachmentFiles fetched) {
        long size = 0;
        for (int i = 0; i < attachments.size(); i++) {
            boolean isRemote = attachments.get(i).content() instanceof RemoteFile;
            AttachmentContent content = fetched.attachments().get(i).content();
            size += isRemote ? content.length() : 0;
        }
        if (size > all) {
            throw Problem.of(
                    ErrorCode.UNPROCESSABLE,
                    "Files by URL of a call that is paid for have at most " + all + " bytes together here",
                    "Give the content of some files in place of their URLs.");
        }
        return enter(size);
    }

    /**
     * Room for a request that is stored with its files.
     *
     * @throws Problem {@code service_unavailable} when there is none now
     */
    public Room enter(long size) {
        int permits = (int) Math.min(size, all);
        try {
            if (octets.tryAcquire(permits, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return () -> octets.release(permits);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        throw Problem.of(ErrorCode.SERVICE_UNAVAILABLE, "Too many calls with files by URL are being paid for")
                .retryAfter(Duration.ofSeconds(5));
    }
}
