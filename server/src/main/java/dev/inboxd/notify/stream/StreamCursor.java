package dev.inboxd.notify.stream;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.event.EventId;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A position in the event log as clients name it: the id of the last event they saw, a cursor that this service issued,
 * or {@code now}. An issued cursor advances over events that its caller may not see. So it is sealed: two cursors
 * cannot be compared, and none reveals that an event happened (promise P11).
 */
final class StreamCursor {
    /** The cursor of the end of the log. */
    static final String NOW = "now";

    private static final String PURPOSE = "event cursors";
    private static final int LENGTH = Long.BYTES * 3;
    private static final int LONGEST = 200;

    private final Vault vault;

    StreamCursor(Vault vault) {
        this.vault = vault;
    }

    /**
     * What is kept of a log.
     *
     * @param horizon the number up to which events are not kept; 0 when all are
     * @param head the last sequence number
     */
    record LogExtent(long horizon, long head) {
        /** The same as it was at an earlier head. */
        LogExtent upTo(long earlier) {
            return new LogExtent(horizon, earlier);
        }
    }

    /** A sealed cursor of the position behind a sequence number. */
    String seal(UUID organization, long number) {
        byte[] plain = ByteBuffer.allocate(LENGTH)
                .putLong(organization.getMostSignificantBits())
                .putLong(organization.getLeastSignificantBits())
                .putLong(number)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(vault.seal(PURPOSE, plain));
    }

    /**
     * The sequence number of a cursor.
     *
     * @param cursor as the client sent it; null for the beginning
     * @param log reads what is kept of the log
     * @throws Problem {@code validation_error} for a cursor of another organization, and for one behind which events
     *     are not kept any more
     */
    long open(UUID organization, @Nullable String cursor, Supplier<LogExtent> log) {
        if (cursor == null || cursor.isEmpty()) {
            return 0;
        }
        LogExtent extent = log.get();
        if (cursor.equals(NOW)) {
            return extent.head;
        }
        Long number = cursor.length() > LONGEST ? null : EventId.number(organization, cursor);
        if (number == null && cursor.length() <= LONGEST) {
            number = unseal(organization, cursor);
        }
        // An issued cursor may be ahead of the log when the database was restored from a backup. An error is better
        // than silence.
        if (number == null || number > extent.head) {
            throw Problem.invalid("cursor", "cursor must be the event_id of an event, a next_cursor, or \"now\"");
        }
        // To go on from the oldest event would hide that some are missing.
        if (number < extent.horizon) {
            throw Problem.invalid(
                    "cursor",
                    "events that followed cursor are older than events are kept here; list what there is now, and begin"
                            + " without cursor, at the oldest event, or with \"now\"");
        }
        return number;
    }

    private @Nullable Long unseal(UUID organization, String cursor) {
        try {
            ByteBuffer plain =
                    ByteBuffer.wrap(vault.open(PURPOSE, Base64.getUrlDecoder().decode(cursor)));
            return plain.remaining() == LENGTH && new UUID(plain.getLong(), plain.getLong()).equals(organization)
                    ? plain.getLong()
                    : null;
        } catch (IllegalArgumentException | Vault.KeyException notOurs) {
            return null;
        }
    }
}
