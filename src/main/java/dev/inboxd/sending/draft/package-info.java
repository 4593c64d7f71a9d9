/**
 * Drafts: mail that is written, changed, scheduled and sent later (mail.md §8). A draft is sent like every other
 * message, and its deletion is part of the message's commit. So there is at most one message of each draft, whatever
 * fails in between.
 */
@NullMarked
package dev.inboxd.sending.draft;

import org.jspecify.annotations.NullMarked;
