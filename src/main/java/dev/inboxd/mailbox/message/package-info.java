/**
 * Messages of inboxes (mail.md §4.6, §6). Receiving and sending store them here, the routes read and relabel them. A
 * message's key is its organization and a UUID, its internal id; its Message-ID is its public id, unique in the inbox.
 */
@NullMarked
package dev.inboxd.mailbox.message;

import org.jspecify.annotations.NullMarked;
