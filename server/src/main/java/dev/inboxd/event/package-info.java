/**
 * The event log. Events are appended in the transaction of their change, together with one delivery row for every
 * subscribed webhook (promise P6). The feed, webhooks and metrics read this log. Features append; nobody else writes.
 */
@NullMarked
package dev.inboxd.event;

import org.jspecify.annotations.NullMarked;
