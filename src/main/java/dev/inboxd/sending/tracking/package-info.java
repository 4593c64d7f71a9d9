/**
 * Open tracking (mail.md §15): an image of one pixel in the HTML of a sent message. Its URL names the message and
 * cannot be guessed. Sending inserts it, and the first load is recorded. The response reveals nothing to the client.
 */
@NullMarked
package dev.inboxd.sending.tracking;

import org.jspecify.annotations.NullMarked;
