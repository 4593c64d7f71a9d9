/**
 * Open tracking (mail.md §15): a picture of one pixel in the HTML of a message that leaves, whose address
 * names the message and cannot be guessed. Sending puts it in; the first load is written down; whoever loads it learns
 * nothing.
 */
@NullMarked
package dev.inboxd.sending.tracking;

import org.jspecify.annotations.NullMarked;
