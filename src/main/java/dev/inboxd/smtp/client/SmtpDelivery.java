package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to hand over one message.
 *
 * @param host the host that was spoken to, or null when none could be reached
 * @param result how its recipient fared
 */
public record SmtpDelivery(@Nullable SmtpEndpoint host, SmtpResult result) {}
