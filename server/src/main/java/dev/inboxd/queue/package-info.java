/**
 * The queue of mail that leaves, as rows: the message, its recipients, the status of each (mail.md §14.5), and the
 * return paths that name them. Features
 * add to it in the transaction that accepts the mail; {@code outbound} delivers.
 */
@NullMarked
package dev.inboxd.queue;

import org.jspecify.annotations.NullMarked;
