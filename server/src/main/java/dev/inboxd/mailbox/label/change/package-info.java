/**
 * Changes of the labels of stored messages: by requests, by reports and by pixels, with their events and the totals of
 * their threads (mail.md §6.5, §6.6, §7, §10.4).
 */
@NullMarked
package dev.inboxd.mailbox.label.change;

import org.jspecify.annotations.NullMarked;
