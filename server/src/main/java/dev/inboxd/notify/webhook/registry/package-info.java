/**
 * The webhooks of an organization: made, changed and deleted, with the log of their deliveries, replays and test
 * deliveries (events.md §1, §2, §4).
 */
@NullMarked
package dev.inboxd.notify.webhook.registry;

import org.jspecify.annotations.NullMarked;
