/**
 * Messages: what an inbox holds (mail.md §4.6, §6). Receiving and sending store them here, the routes read and relabel
 * them. A message's key is its organization and a UUID; its Message-ID is a public name, unique in the inbox.
 */
@NullMarked
package dev.inboxd.mailbox.message;

import org.jspecify.annotations.NullMarked;
