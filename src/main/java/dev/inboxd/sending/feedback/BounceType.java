package dev.inboxd.sending.feedback;

import dev.inboxd.platform.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why mail came back, in the words of the interface (events.md §4.3), from the enhanced status code of
 * RFC 3463.
 *
 * @param type Permanent, Transient or Undetermined
 * @param subType what about the recipient or the message was wrong
 */
public record BounceType(String type, String subType) {
    /** Nothing is known but that it came back. */
    public static final String UNDETERMINED = "Undetermined";
    /** It would come back again. */
    public static final String PERMANENT = "Permanent";
    /** It was tried until nobody wanted to try any more. */
    public static final String TRANSIENT = "Transient";

    /**
     * The type for a failure.
     *
     * @param kind the first digit of its code, 5 or 4, anything else when it has none
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

    /** The members of the event beside the common ones. */
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
