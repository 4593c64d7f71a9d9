/** What tells the world outside of events; this package builds webhooks and polling webhooks from their parts. */
@NullMarked
package dev.inboxd.notify;

import org.jspecify.annotations.NullMarked;
