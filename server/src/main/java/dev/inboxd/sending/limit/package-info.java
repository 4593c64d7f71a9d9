/** How much an inbox may send, whether it may send, and loops of automatic answers. */
@NullMarked
package dev.inboxd.sending.limit;

import org.jspecify.annotations.NullMarked;
