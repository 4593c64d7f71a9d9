package dev.inboxd.sending.tracking;

import java.util.UUID;

/**
 * A message whose opening is waited for.
 *
 * @param id the part of its Message-ID before the {@code @}
 */
public record TrackedMessage(UUID organization, UUID inbox, UUID id) {
    /** The public name of that message, made at a domain. */
    public String name(String domain) {
        return "<" + id + "@" + domain + ">";
    }
}
