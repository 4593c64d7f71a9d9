/**
 * Mail on its way out, as rows: what leaves, for whom, and how far it has come (mail.md §14.5). Features queue
 * here in the transaction that accepts the mail; {@code submit} delivers.
 */
@NullMarked
package dev.inboxd.queue;

import org.jspecify.annotations.NullMarked;
