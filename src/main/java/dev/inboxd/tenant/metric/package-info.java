/**
 * Metrics (events.md §8) of the organization, a pod or an inbox: counts of events, gauges of present resources, and
 * rates of bounces and complaints. They are counted from the event log, with or without listeners. A worker adds events
 * up within seconds, and a query first adds up the rest, so that an answer is always up to date.
 */
@NullMarked
package dev.inboxd.tenant.metric;

import org.jspecify.annotations.NullMarked;
