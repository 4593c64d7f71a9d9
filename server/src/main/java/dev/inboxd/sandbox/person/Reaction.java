package dev.inboxd.sandbox.person;

import java.time.Duration;

/**
 * Something that somebody does with a mail.
 *
 * @param after how long after the mail was taken
 * @param json the reaction as it is stored
 */
record Reaction(ReactionKind kind, Duration after, String json) {}
