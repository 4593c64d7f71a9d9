/**
 * Claims: who answers in a thread, and until when (mail.md §18). Each is decided in the commit that stores it, after
 * the organization's clock row; so is what it binds ({@link dev.inboxd.mailbox.claim.AnswerCheck}).
 */
@NullMarked
package dev.inboxd.mailbox.claim;

import org.jspecify.annotations.NullMarked;
