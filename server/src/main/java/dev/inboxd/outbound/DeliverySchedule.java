package dev.inboxd.outbound;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a delivery is tried again, and when it is given up. */
final class DeliverySchedule {
    /** Age at which delivery is given up; RFC 5321 §4.5.4.1: 4 to 5 days. */
    static final Duration GIVE_UP = Duration.ofDays(5);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);
    private static final Duration OWN_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(4);

    private DeliverySchedule() {}

    /** The outcomes to record at that time: a recipient that is still delayed after five days has bounced. */
    static Map<QueueItem.Recipient, RecipientOutcome> asOf(
            QueueItem item, Map<QueueItem.Recipient, RecipientOutcome> outcomes, Instant now) {
        boolean old = now.isAfter(item.queuedAt().plus(GIVE_UP));
        Map<QueueItem.Recipient, RecipientOutcome> last = new LinkedHashMap<>();
        outcomes.forEach((recipient, outcome) -> last.put(recipient, old ? atLast(outcome) : outcome));
        return last;
    }

    /** The outcome after five days: what is still delayed has bounced. */
    static RecipientOutcome atLast(RecipientOutcome outcome) {
        return outcome.isOpen()
                ? new RecipientOutcome(
                        RecipientOutcome.State.BOUNCED, "451 4.4.7 Given up after 5 days: " + outcome.reply())
                : outcome;
    }

    /** How long a recipient waits for the next attempt; null when there is none. */
    static @Nullable Duration pause(QueueItem.Recipient recipient, RecipientOutcome outcome) {
        if (!outcome.isOpen()) {
            return null;
        }
        // Delays of this server have their own schedule, and do not advance the one of the destination.
        boolean own = outcome.state() == RecipientOutcome.State.HELD;
        int doublings = Math.clamp(own ? recipient.held() : recipient.attempt() - 1, 0, 10);
        Duration pause = (own ? OWN_PAUSE : FIRST_PAUSE).multipliedBy(1L << doublings);
        Duration longest = own ? FIRST_PAUSE : LONGEST_PAUSE;
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
