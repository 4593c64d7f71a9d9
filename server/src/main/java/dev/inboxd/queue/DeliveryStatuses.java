package dev.inboxd.queue;

import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The delivery status of each recipient of a sent message. It is not in the original interface, so it has a member of
 * its own (ruling 35).
 */
public final class DeliveryStatuses {
    /**
     * Replaces failures that no server worded: they may describe this service's network, which senders must not see.
     */
    private static final String UNANSWERED = "451 4.4.1 No session with another server";

    /** What another server answered (RFC 5321 §4.2), and not this one about its network. */
    private static final Pattern ANSWER = Pattern.compile("(?s)[2-5][0-9]{2}( .*)?");

    private static final String OF_MESSAGE = """
            select r.recipient, r.state, r.attempts, r.due_at, r.last_reply, r.settled_at
            from submission s
            join submission_recipient r on r.organization_id = s.organization_id
                                       and r.submission_id = s.submission_id
            where s.organization_id = {organization} and s.message_id = :message
            order by r.submission_id, r.position""";

    private DeliveryStatuses() {}

    /**
     * The recipients of a message in the order in which they were queued, Bcc included: readers of the message see
     * these in it as well.
     *
     * @param message one that the caller may read
     * @return empty when this service did not send it, or so long ago that its rows were deleted
     */
    public static List<JsonObject> of(Tx tx, View view, UUID message) {
        return tx.sql(view, OF_MESSAGE).bind("message", message).list(DeliveryStatuses::json);
    }

    private static JsonObject json(Row row) {
        String state = row.text("state");
        return JsonObject.of("recipient", row.text("recipient"))
                .with("status", state)
                .with("attempt_count", row.integer("attempts"))
                .with("next_attempt_at", state.equals("queued") ? row.instantOrNull("due_at") : null)
                .with("answer", answer(row.textOrNull("last_reply")))
                .with("settled_at", row.instantOrNull("settled_at"));
    }

    /** The last answer of another server, as the sender of the mail may see it. */
    static @Nullable String answer(@Nullable String reply) {
        return reply == null || ANSWER.matcher(reply).matches() ? reply : UNANSWERED;
    }
}
