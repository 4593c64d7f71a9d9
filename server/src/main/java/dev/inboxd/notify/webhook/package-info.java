/** Webhooks: URLs that events are posted to, with their secrets and header fields (events.md §1, §3). */
@NullMarked
package dev.inboxd.notify.webhook;

import org.jspecify.annotations.NullMarked;
