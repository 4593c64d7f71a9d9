package dev.inboxd.calendar.content;

import org.jspecify.annotations.Nullable;

/**
 * What an event says.
 *
 * @param metadata the client's own value, as parsed JSON; it never leaves in mail
 */
public record EventWords(
        String title,
        @Nullable String description,
        @Nullable String location,
        @Nullable Object metadata) {}
