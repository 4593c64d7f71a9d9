package dev.inboxd.app.account;

import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An inbox that signed in at an app.
 *
 * @param inboxName the inbox's public id
 * @param appName the app's name now
 * @param disabledAt null when the inbox may sign in
 */
public record Account(
        UUID organization,
        UUID id,
        UUID app,
        UUID pod,
        UUID inbox,
        String inboxName,
        String appName,
        Instant firstSignedInAt,
        Instant lastSignedInAt,
        long signInCount,
        @Nullable Instant disabledAt) {

    /** Whether it is, or is to be, disabled. */
    enum Status {
        ENABLED,
        DISABLED;

        /** The name in requests and answers. */
        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the inbox may sign in there. */
    public boolean isEnabled() {
        return disabledAt == null;
    }

    JsonObject json() {
        return JsonObject.of("account_id", id)
                .with("app_id", app)
                .with("provider_id", app)
                .with("inbox_id", inboxName)
                .with("pod_id", pod)
                .with("organization_id", organization)
                .with("first_signed_in_at", firstSignedInAt)
                .with("last_signed_in_at", lastSignedInAt)
                .with("sign_in_count", signInCount)
                .with("app_name", appName)
                .with("provider_name", appName)
                .with("status", isEnabled() ? null : Status.DISABLED.wireName())
                .with("disabled_at", disabledAt);
    }
}
