/** Polling webhooks: queues of events that a consumer fetches with a token instead of being called (events.md §6). */
@NullMarked
package dev.inboxd.notify.webhook.polling;

import org.jspecify.annotations.NullMarked;
