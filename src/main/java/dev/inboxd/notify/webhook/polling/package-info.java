/** To be described. */
@NullMarked
package dev.inboxd.notify.webhook.polling;

import org.jspecify.annotations.NullMarked;
