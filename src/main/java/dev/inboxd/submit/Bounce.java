package dev.inboxd.submit;

import dev.inboxd.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why mail came back, in the words of the interface (contract: events.md §4.3), from the enhanced status code of
 * RFC 3463.
 *
 * @param type Permanent, Transient or Undetermined
 * @param subType what about the recipient or the message was wrong
 */
record Bounce(String type, String subType) {
    /** The bounced recipients of an attempt, by kind. */
    static Map<Bounce, List<String>> kinds(Map<Parcel.Recipient, Outcome> outcomes) {
        Map<Bounce, List<String>> kinds = new LinkedHashMap<>();
        outcomes.forEach((recipient, outcome) -> {
            if (outcome.state() == Outcome.State.BOUNCED) {
                kinds.computeIfAbsent(of(outcome), _ -> new ArrayList<>()).add(recipient.address());
            }
        });
        return kinds;
    }

    static Bounce of(Outcome outcome) {
        String status = outcome.enhancedStatus();
        char kind = outcome.reply().isEmpty() ? ' ' : outcome.reply().charAt(0);
        String type = kind == '5' ? "Permanent" : kind == '4' ? "Transient" : "Undetermined";
        if (status == null) {
            return new Bounce(type, "General");
        }
        String detail = status.substring(1);
        String subType = switch (detail) {
            case ".1.1", ".1.2", ".1.10" -> "NoEmail";
            case ".2.2" -> "MailboxFull";
            case ".3.4" -> "MessageTooLarge";
            default -> detail.startsWith(".6.") ? "ContentRejected" : "General";
        };
        return new Bounce(type, subType);
    }

    /** Whether the address is at fault for good, and not this message or a full mailbox: it is not written to again. */
    boolean isOfTheAddress() {
        return type.equals("Permanent") && (subType.equals("NoEmail") || subType.equals("General"));
    }

    /** The members of the event beside the common ones. */
    JsonObject json(List<String> addresses) {
        return JsonObject.of("type", type).with("sub_type", subType).with("recipients", addresses.stream()
                .map(address -> JsonObject.of("address", address).with("status", "bounced")).toList());
    }
}
