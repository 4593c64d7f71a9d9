package dev.inboxd.account.passkey;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A passkey of a person.
 *
 * @param device browser and system where it was made, in words; null where the browser named none
 * @param isSynced whether its owner may have it on several devices
 * @param usedAt when the person last signed in by it; null: never
 */
public record Passkey(
        UUID id,
        @Nullable String device,
        boolean isSynced,
        Instant createdAt,
        @Nullable Instant usedAt) {}
