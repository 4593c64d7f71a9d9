package dev.inboxd.outbound;

import dev.inboxd.mail.report.AddressRefusal;
import dev.inboxd.sending.feedback.BounceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /** The addresses to block: those that were themselves refused at RCPT for good. */
    static List<String> ofTheAddress(Map<QueueItem.Recipient, RecipientOutcome> outcomes) {
        return outcomes.entrySet().stream()
                .filter(entry -> isOfTheAddress(entry.getKey().address(), entry.getValue()))
                .map(entry -> entry.getKey().address())
                .toList();
    }

    private static boolean isOfTheAddress(String address, RecipientOutcome outcome) {
        return outcome.state() == RecipientOutcome.State.BOUNCED
                && outcome.byItself()
                && AddressRefusal.isMeantBy(outcome.reply(), address);
    }
}
