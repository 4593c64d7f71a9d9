package dev.inboxd.sandbox.person;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A rule for mail to some addresses.
 *
 * @param match an address in lower case, or {@code *@} and a domain
 * @param sender whose mail it is for; null: that of every inbox
 * @param script a list of steps, as JSON
 * @param times how many mails it is for; null: all
 * @param hits how many mails met it
 */
record RecipientRule(
        UUID id,
        String match,
        @Nullable Sender sender,
        String script,
        @Nullable Integer times,
        int hits,
        Instant createdAt) {
    /** An inbox that sends. */
    record Sender(UUID inbox, String address) {}

    JsonObject json() {
        return JsonObject.of("rule_id", id)
                .with("match", match)
                .with("inbox_id", sender == null ? null : sender.address)
                .with("script", new RawJson(script))
                .with("times", times)
                .with("hits", hits)
                .with("created_at", createdAt);
    }
}
