package dev.inboxd.payment.operator;

import dev.inboxd.payment.ledger.PaymentState;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which payments the operator wants to see.
 *
 * @param organization null for all
 * @param status a word of {@link #STATUSES}; null for all
 * @param since when they began at the earliest; null for all
 */
public record PaymentFilter(
        @Nullable UUID organization,
        @Nullable String status,
        @Nullable Instant since) {
    /** The words for how a payment ended. */
    public static final List<String> STATUSES = List.of("pending", "settled", "refused", "owed");

    /** The states with that status, as they are in rows. */
    String[] states() {
        return Stream.of(PaymentState.values())
                .filter(state -> status == null || state.wireName().equals(status))
                .map(PaymentState::word)
                .toArray(String[]::new);
    }
}
