/**
 * Drafts: mail that is written, changed, perhaps scheduled, and sent later (mail.md §8). A draft is sent like any other
 * mail, and is deleted in the message's commit, so that each draft becomes one message at most.
 */
@NullMarked
package dev.inboxd.sending.draft;

import org.jspecify.annotations.NullMarked;
