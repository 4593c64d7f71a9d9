/**
 * Mail that programs of users submit (RFC 6409): they log in with an inbox's address and an API key, and what they send
 * becomes what the interface would have sent (identity.md §18). The dialogue is that of {@code receive}, the
 * sending that of {@code send}; here is what lies between.
 */
@NullMarked
package dev.inboxd.smtp.submission;

import org.jspecify.annotations.NullMarked;
