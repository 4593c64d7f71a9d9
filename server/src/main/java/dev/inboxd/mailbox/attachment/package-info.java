/** Attachments of stored messages: parts of the raw bytes that can be downloaded through signed links (mail.md §9). */
@NullMarked
package dev.inboxd.mailbox.attachment;

import org.jspecify.annotations.NullMarked;
