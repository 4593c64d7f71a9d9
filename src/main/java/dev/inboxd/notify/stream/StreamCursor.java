package dev.inboxd.notify.stream;

import dev.inboxd.event.EventId;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.vault.Vault;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How clients name a place in the log: by the id of the last event they saw, by a cursor that we gave, or by {@code now}.
 * A cursor of ours moves on over what its caller may not see, so it is sealed: two of them cannot be compared, and none
 * tells that anything happened (promise P11).
 */
final class StreamCursor {
    /** The end of the log. */
    static final String NOW = "now";

    private static final String PURPOSE = "event cursors";
    private static final int LENGTH = Long.BYTES * 3;
    private static final int LONGEST = 200;

    private final Vault vault;

    StreamCursor(Vault vault) {
        this.vault = vault;
    }

    /** A cursor for the place behind that number. */
    String seal(UUID organization, long number) {
        byte[] plain = ByteBuffer.allocate(LENGTH)
                .putLong(organization.getMostSignificantBits())
                .putLong(organization.getLeastSignificantBits())
                .putLong(number)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(vault.seal(PURPOSE, plain));
    }

    /**
     * The number that a cursor stands for.
     *
     * @param cursor what the client says; null for the beginning
     * @param newest tells the last number there is
     * @throws Problem {@code validation_error} for one that is not of this organization
     */
    long open(UUID organization, @Nullable String cursor, LongSupplier newest) {
        if (cursor == null || cursor.isEmpty()) {
            return 0;
        }
        long head = newest.getAsLong();
        if (cursor.equals(NOW)) {
            return head;
        }
        Long number = cursor.length() > LONGEST ? null : EventId.number(organization, cursor);
        if (number == null && cursor.length() <= LONGEST) {
            number = unseal(organization, cursor);
        }
        // Also one of ours may be ahead of the log: of a database that was restored. Better refused than silent.
        if (number == null || number > head) {
            throw Problem.invalid("cursor", "cursor must be the event_id of an event, a next_cursor, or \"now\"");
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
        } catch (IllegalArgumentException | IllegalStateException notOurs) {
            return null;
        }
    }
}
