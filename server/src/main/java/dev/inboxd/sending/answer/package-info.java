/**
 * Drafts as answers (mail.md §18): what they say of claims and of earlier answers, and drafts whose schedule an answer
 * ends.
 */
@NullMarked
package dev.inboxd.sending.answer;

import org.jspecify.annotations.NullMarked;
