/** Webhooks over HTTP. Only routes: the rules are in the registry. */
@NullMarked
package dev.inboxd.notify.webhook.http;

import org.jspecify.annotations.NullMarked;
