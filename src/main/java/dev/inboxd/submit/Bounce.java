package dev.inboxd.submit;

import dev.inboxd.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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

    /**
     * The addresses that are at fault for good, and not the sender, this message or a full mailbox: they are not written
     * to again. Protocol and policy (RFC 3463 §3.6 and §3.8) say nothing about an address.
     */
    static List<String> ofTheAddress(Map<Parcel.Recipient, Outcome> outcomes) {
        return outcomes.entrySet().stream().filter(entry -> isOfTheAddress(entry.getValue()))
                .map(entry -> entry.getKey().address()).toList();
    }

    private static boolean isOfTheAddress(Outcome outcome) {
        Bounce bounce = of(outcome);
        String status = Objects.requireNonNullElse(outcome.enhancedStatus(), "");
        return outcome.byItself() && bounce.type.equals("Permanent")
                && (bounce.subType.equals("NoEmail") || bounce.subType.equals("General"))
                && !status.startsWith(".5.", 1) && !status.startsWith(".7.", 1);
    }

    /** The members of the event beside the common ones. */
    JsonObject json(List<String> addresses) {
        return JsonObject.of("type", type).with("sub_type", subType).with("recipients", addresses.stream()
                .map(address -> JsonObject.of("address", address).with("status", "bounced")).toList());
    }
}
