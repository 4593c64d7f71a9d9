package dev.inboxd.sending.tracking;

import java.util.UUID;

/**
 * A message whose opens are tracked.
 *
 * @param id the part of its Message-ID before the {@code @}
 */
public record TrackedMessage(UUID organization, UUID inbox, UUID id) {
    /** The Message-ID of the message at this domain. */
    public String name(String domain) {
        return "<" + id + "@" + domain + ">";
    }
}
