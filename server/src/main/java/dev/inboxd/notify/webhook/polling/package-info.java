/**
 * Polling webhooks: the client fetches the events of a webhook over HTTP and commits them, so that it needs no address
 * that can be reached (events.md §6).
 */
@NullMarked
package dev.inboxd.notify.webhook.polling;

import org.jspecify.annotations.NullMarked;
