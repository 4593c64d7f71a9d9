package dev.inboxd.app.account;

import java.time.Instant;
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
        @Nullable Instant disabledAt) {}
