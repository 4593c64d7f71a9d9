package dev.inboxd.sending;

import java.util.UUID;

/**
 * What a send made.
 *
 * @param messageName the public id of the message
 * @param thread the thread it is in
 */
public record SendResult(String messageName, UUID thread) {}
