/**
 * Mail coming in: the SMTP server's dialogue (RFC 5321) up to the decision whether a message is taken, and what then
 * stores it.
 *
 * <p>One virtual thread per session over blocking sockets. The dialogue knows nothing of inboxes: it asks a {@link
 * MailHandler}. Only the wiring starts an {@link SmtpServer}.
 */
@NullMarked
package dev.inboxd.smtp.server;

import org.jspecify.annotations.NullMarked;
