/**
 * The queue of outgoing mail, as rows: submissions, their recipients, and the state of each (mail.md §14.5). Features
 * queue mail in the transaction that accepts it; {@code outbound} delivers.
 */
@NullMarked
package dev.inboxd.queue;

import org.jspecify.annotations.NullMarked;
