package dev.inboxd.mail.challenge;

import org.jspecify.annotations.Nullable;

/**
 * The bodies of a mail.
 *
 * @param text with joined lines where its format says so (RFC 3676); null when there is none
 * @param ownText what its author wrote anew of it; null when there is nothing
 * @param html null when there is none
 * @param isReport whether the mail is a report of a mail system, which has no quotations
 */
public record MailBodies(
        @Nullable String text,
        @Nullable String ownText,
        @Nullable String html,
        boolean isReport) {}
