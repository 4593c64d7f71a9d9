/**
 * Messages: what an inbox holds, how it is found through a view, and how it is shown (mail.md §4.6, §6). A message's
 * key is its organization and a UUID; its Message-ID is a public name, unique in the inbox.
 */
@NullMarked
package dev.inboxd.mailbox.message;

import org.jspecify.annotations.NullMarked;
