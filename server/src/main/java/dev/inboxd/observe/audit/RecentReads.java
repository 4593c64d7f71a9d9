package dev.inboxd.observe.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.UUID;

/**
 * Which messages keys read lately. However often a program looks at a message, its trace has one read of each key an
 * hour; of another node it may have one more.
 */
final class RecentReads {
    private static final Duration AGAIN = Duration.ofHours(1);
    /** Each takes some 200 octets. */
    private static final int MOST = 10_000;

    private final SequencedMap<Read, Instant> kept = new LinkedHashMap<>();

    private record Read(UUID inbox, String message, UUID key) {}

    /** Whether the trace has no read like this one of the last hour; from now on it has. */
    synchronized boolean isNew(MessageCall call) {
        Read read = new Read(call.inbox(), call.message(), call.key());
        Instant before = kept.get(read);
        if (before != null && call.at().isBefore(before.plus(AGAIN))) {
            return false;
        }
        kept.putLast(read, call.at());
        if (kept.size() > MOST) {
            kept.pollFirstEntry();
        }
        return true;
    }
}
