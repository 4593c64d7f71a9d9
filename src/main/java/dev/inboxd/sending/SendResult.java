package dev.inboxd.sending;

import java.util.UUID;

/**
 * The result of a send.
 *
 * @param messageName the public id of the message
 * @param thread the thread it is in
 */
public record SendResult(String messageName, UUID thread) {}
