/**
 * The SMTP server: the dialogue (RFC 5321) up to the decision whether a message is accepted, SASL authentication, the
 * PROXY protocol and the spool.
 *
 * <p>Each session runs on its own virtual thread over a blocking socket. The dialogue knows nothing of inboxes: it asks
 * a {@link MailHandler}. Only the application's start creates an {@link SmtpServer}.
 */
@NullMarked
package dev.inboxd.smtp.server;

import org.jspecify.annotations.NullMarked;
