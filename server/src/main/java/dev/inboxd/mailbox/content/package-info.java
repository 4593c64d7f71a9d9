/** The octets of messages: small ones in rows, large ones in chunks that messages share. */
@NullMarked
package dev.inboxd.mailbox.content;

import org.jspecify.annotations.NullMarked;
