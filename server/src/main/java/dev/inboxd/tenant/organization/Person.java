package dev.inboxd.tenant.organization;

import dev.inboxd.base.access.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A person of an organization.
 *
 * @param humanEmail the address, in lower case
 * @param since when the person was named or invited
 * @param seenAt when the person was last at the console, by ten minutes; null: not yet
 * @param isInvited whether the person has yet to accept by signing in, and belongs to nobody until then
 */
public record Person(
        String humanEmail,
        Role role,
        Instant since,
        @Nullable Instant seenAt,
        boolean isInvited) {}
