/**
 * Open tracking (mail.md §15): a picture of one pixel in the HTML of a message that leaves. Its address names the
 * message and cannot be guessed. Only the first load is recorded, and the answer tells the client nothing.
 */
@NullMarked
package dev.inboxd.sending.tracking;

import org.jspecify.annotations.NullMarked;
