package dev.inboxd.outbound;

import dev.inboxd.sending.feedback.BounceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Classifies the bounced recipients of an attempt. */
final class BouncedRecipients {
    private BouncedRecipients() {}

    /** The bounced recipients of an attempt, by type of bounce. */
    static Map<BounceType, List<String>> kinds(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        Map<BounceType, List<String>> kinds = new LinkedHashMap<>();
        outcomes.forEach((recipient, outcome) -> {
            if (outcome.state() == RecipientOutcome.State.BOUNCED) {
                kinds.computeIfAbsent(of(outcome), _ -> new ArrayList<>()).add(recipient.address());
            }
        });
        return kinds;
    }

    /** The type of bounce, by reply code and enhanced status code. */
    static BounceType of(RecipientOutcome outcome) {
        return BounceType.of(outcome.reply().isEmpty() ? 0 : outcome.reply().charAt(0) - '0', outcome.enhancedStatus());
    }

    /**
     * The addresses to suppress: those that are themselves permanently at fault, and not the sender, the message or a
     * full mailbox. Replies about protocol and policy (RFC 3463 §3.6 and §3.8) say nothing about an address.
     */
    static List<String> ofTheAddress(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(entry -> isOfTheAddress(entry.getValue()))
                .map(entry -> entry.getKey().address())
                .toList();
    }

    private static boolean isOfTheAddress(RecipientOutcome outcome) {
        BounceType bounce = of(outcome);
        String status = Objects.requireNonNullElse(outcome.enhancedStatus(), "");
        return outcome.byItself()
                && bounce.type().equals(BounceType.PERMANENT)
                && (bounce.subType().equals("NoEmail") || bounce.subType().equals("General"))
                && !status.startsWith(".5.", 1)
                && !status.startsWith(".7.", 1);
    }
}
