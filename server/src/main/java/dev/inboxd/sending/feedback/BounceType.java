package dev.inboxd.sending.feedback;

import dev.inboxd.base.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a bounce as the API names it (events.md §4.3), derived from the enhanced status code of RFC 3463.
 *
 * @param type Permanent, Transient or Undetermined
 * @param subType the problem with the recipient or the message
 */
public record BounceType(String type, String subType) {
    /** The report gives no reason. */
    public static final String UNDETERMINED = "Undetermined";
    /** Another attempt would fail again. */
    public static final String PERMANENT = "Permanent";
    /** A temporary failure; attempts were given up. */
    public static final String TRANSIENT = "Transient";

    /**
     * The bounce type of a failure.
     *
     * @param kind the first digit of its status code, 5 or 4; any other number without a code
     * @param status the enhanced status, such as {@code 5.1.1}, or null
     */
    public static BounceType of(int kind, @Nullable String status) {
        String type = kind == 5 ? PERMANENT : kind == 4 ? TRANSIENT : UNDETERMINED;
        if (status == null) {
            return new BounceType(type, "General");
        }
        String detail = status.substring(1);
        String subType = switch (detail) {
            case ".1.1", ".1.2", ".1.10" -> "NoEmail";
            case ".2.2" -> "MailboxFull";
            case ".3.4" -> "MessageTooLarge";
            default -> detail.startsWith(".6.") ? "ContentRejected" : "General";
        };
        return new BounceType(type, subType);
    }

    /** The members of the event beside those of every event. */
    public JsonObject json(List<String> addresses) {
        return JsonObject.of("type", type)
                .with("sub_type", subType)
                .with(
                        "recipients",
                        addresses.stream()
                                .map(address ->
                                        JsonObject.of("address", address).with("status", "bounced"))
                                .toList());
    }
}
