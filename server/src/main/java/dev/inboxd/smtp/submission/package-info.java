/**
 * Mail that programs submit (RFC 6409): a program logs in with an inbox's address and an API key, and its message is
 * sent as the HTTP interface would send it (identity.md §18). The dialogue is that of {@code smtp.server}, the sending
 * that of {@code sending}.
 */
@NullMarked
package dev.inboxd.smtp.submission;

import org.jspecify.annotations.NullMarked;
