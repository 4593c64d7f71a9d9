package dev.inboxd.smtp;

import dev.inboxd.base.tls.PendingTls;
import dev.inboxd.smtp.server.SmtpServer;

/**
 * What the settings say of SMTP.
 *
 * @param mx how other servers bring mail
 * @param submission how programs submit mail
 * @param tls the certificate of both
 */
public record SmtpConfig(SmtpServer.Config mx, SmtpServer.Config submission, PendingTls tls) {}
