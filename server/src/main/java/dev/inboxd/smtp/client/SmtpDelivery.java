package dev.inboxd.smtp.client;

import org.jspecify.annotations.Nullable;

/**
 * The result of one delivery attempt for one recipient.
 *
 * @param host the host that the message was offered to; null when no host could be reached
 * @param result the result for the recipient
 */
public record SmtpDelivery(@Nullable SmtpEndpoint host, SmtpResult result) {}
