/**
 * The event log: what happened, appended in the transaction of the change together with one delivery row for every
 * webhook that wants it (promise P6). The feed, webhooks and metrics read this log. Features append; nobody else writes.
 */
@NullMarked
package dev.inboxd.event;

import org.jspecify.annotations.NullMarked;
