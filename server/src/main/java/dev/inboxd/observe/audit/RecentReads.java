package dev.inboxd.observe.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * Which messages keys and payers read by their ids lately. However often a program looks at a message, its trace has
 * one read of each reader an hour. Each node counts for itself, so it may have one of every node, and more when more
 * than {@link #MOST} are read within the hour.
 */
final class RecentReads {
    private static final Duration AGAIN = Duration.ofHours(1);
    /** Each takes some 200 octets. */
    private static final int MOST = 10_000;

    private final SequencedMap<Read, Instant> lastReads = new LinkedHashMap<>();

    private record Read(UUID inbox, String message, UUID reader) {
        static Read of(MessageCall call) {
            return new Read(call.inbox(), call.message(), call.reader());
        }
    }

    /** Whether the trace has no read like this one of the last hour; from now on it has. */
    synchronized boolean isNew(MessageCall call) {
        Read read = Read.of(call);
        Instant before = lastReads.get(read);
        if (before != null && call.at().isBefore(before.plus(AGAIN))) {
            return false;
        }
        lastReads.putLast(read, call.at());
        if (lastReads.size() > MOST) {
            lastReads.pollFirstEntry();
        }
        return true;
    }

    /** Forgets a read that was not written down: the next one like it is new. */
    synchronized void lost(MessageCall call) {
        if (call.isRead()) {
            lastReads.remove(Read.of(call));
        }
    }
}
