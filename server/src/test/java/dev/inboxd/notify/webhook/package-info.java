/** Tests of webhooks. */
@NullMarked
package dev.inboxd.notify.webhook;

import org.jspecify.annotations.NullMarked;
