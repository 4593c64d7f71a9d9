/** Tests of webhooks. */
@NullMarked
package dev.inboxd.webhook;

import org.jspecify.annotations.NullMarked;
