/** New messages come into the index. */
@NullMarked
package dev.inboxd.mailbox.search.index;

import org.jspecify.annotations.NullMarked;
