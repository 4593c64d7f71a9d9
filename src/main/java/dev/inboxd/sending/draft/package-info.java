/**
 * Drafts: mail that is written, changed, perhaps scheduled, and sent later (mail.md §8). A draft becomes a
 * message on the way of every other send, and its removal is part of the message's commit, so that there is at most one
 * message of each draft whatever happens in between.
 */
@NullMarked
package dev.inboxd.sending.draft;

import org.jspecify.annotations.NullMarked;
