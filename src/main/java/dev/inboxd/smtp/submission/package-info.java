/**
 * Mail submission (RFC 6409): clients authenticate with an inbox's address and an API key, and their messages are sent
 * as if by the API (identity.md §18). The dialogue is that of {@code smtp.server}, the sending that of {@code sending}.
 */
@NullMarked
package dev.inboxd.smtp.submission;

import org.jspecify.annotations.NullMarked;
