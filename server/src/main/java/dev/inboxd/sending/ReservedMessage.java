package dev.inboxd.sending;

import java.util.UUID;

/**
 * What is promised for a message that waits for approval.
 *
 * @param id makes its Message-ID, unless its sender gave it one
 * @param name its public id
 * @param thread its thread, which may not exist yet
 */
public record ReservedMessage(UUID id, String name, UUID thread) {}
