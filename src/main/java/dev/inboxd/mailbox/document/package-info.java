/**
 * Text extraction from attachments, for agents that cannot read PDF and office files (mail.md §9.4). It runs in the
 * background; rows tell what is due. Documents of strangers are parsed in a separate Java process with bounded memory
 * and time, which holds no secret and is thrown away.
 */
@NullMarked
package dev.inboxd.mailbox.document;

import org.jspecify.annotations.NullMarked;
