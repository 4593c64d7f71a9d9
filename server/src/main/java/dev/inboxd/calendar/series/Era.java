package dev.inboxd.calendar.series;

import dev.inboxd.calendar.content.EventContent;
import java.time.Instant;

/**
 * What a series was while some of its dates began.
 *
 * @param until the first start that is not in it
 */
public record Era(Instant until, EventContent content) {}
