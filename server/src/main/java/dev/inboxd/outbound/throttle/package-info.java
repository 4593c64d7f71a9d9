/** How much mail leaves at once: to a destination, and of an organization. */
@NullMarked
package dev.inboxd.outbound.throttle;

import org.jspecify.annotations.NullMarked;
