package dev.inboxd.calendar;

import java.time.Instant;

/**
 * What a series was while some of its dates began.
 *
 * @param until the first start that is not in it
 */
record Era(Instant until, EventContent content) {}
