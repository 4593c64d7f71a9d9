/**
 * Messages, threads and inboxes deleted for good, with all rows and blobs that belong to them (mail.md §6.7, §7;
 * promise P19).
 */
@NullMarked
package dev.inboxd.mailbox.deletion;

import org.jspecify.annotations.NullMarked;
