package dev.inboxd.mail.compose;

import org.jspecify.annotations.Nullable;

/**
 * One entry of an address field (RFC 5322 §3.4).
 *
 * @param name the display name, or null for the bare address
 * @param address {@code local@domain}; checked when the message is composed, because errors name the field
 */
public record Mailbox(@Nullable String name, String address) {}
