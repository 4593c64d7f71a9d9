/**
 * Metrics of an organization, a pod or an inbox (events.md §8): counts of events, running totals, and the share of mail
 * that bounced. A worker adds up the event log a few seconds behind; a query first adds up the rest, so that an answer
 * is never behind.
 */
@NullMarked
package dev.inboxd.observe.metric;

import org.jspecify.annotations.NullMarked;
