/**
 * What an event says: its times, rule, people and words, and the tags and windows it is asked by. Values, without SQL.
 */
@NullMarked
package dev.inboxd.calendar.content;

import org.jspecify.annotations.NullMarked;
