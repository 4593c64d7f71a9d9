package dev.inboxd.mail.smtp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The trace fields that a server adds before the mail data, RFC 5321 §4.4.
 *
 * @param helo the client's name, as in {@link SmtpCommand.Ehlo}
 * @param client the client's address
 * @param by the receiving server
 * @param forwardPath the recipient, when there is exactly one: naming several would reveal blind copies
 * @param at time of reception
 */
public record TraceFields(
        String helo,
        InetAddress client,
        Receiver by,
        @Nullable SmtpPath forwardPath,
        Instant at) {
    private static final DateTimeFormatter DATE_TIME = DateTimeFormatter.ofPattern(
                    "EEE, d MMM yyyy HH:mm:ss '+0000'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /**
     * The receiving server.
     *
     * @param host its name
     * @param with the protocol in the words of the registry "Mail Transmission Types", see {@link #with}
     * @param id id of the transaction; letters and digits
     */
    public record Receiver(String host, String with, String id) {}

    /** The registered protocol of a session: RFC 3848 §1 (ESMTP, ESMTPS), RFC 6531 §4.3 (UTF8SMTP, UTF8SMTPS). */
    public static String with(boolean extended, boolean smtpUtf8, boolean tls) {
        if (smtpUtf8) {
            return tls ? "UTF8SMTPS" : "UTF8SMTP";
        }
        if (tls) {
            return "ESMTPS";
        }
        return extended ? "ESMTP" : "SMTP";
    }

    /**
     * The field for a submitted message, with its CRLF: RFC 3848 §1 (ESMTPSA), RFC 6531 §4.3 (UTF8SMTPSA). It counts
     * as a hop, so that a loop ends, and does not reveal the user's address.
     */
    public static String submitted(String host, String id, boolean smtpUtf8, Instant at) {
        return "Received: by " + host + " with " + (smtpUtf8 ? "UTF8SMTPSA" : "ESMTPSA") + " id " + id + ";\r\n\t"
                + DATE_TIME.format(at) + "\r\n";
    }

    /** The Return-Path field of final delivery, with its CRLF. */
    public static String returnPath(ReversePath reversePath) {
        return "Return-Path: " + reversePath + "\r\n";
    }

    /** An address literal, RFC 5321 §4.1.3. */
    public static String literal(InetAddress address) {
        String text = address.getHostAddress();
        if (!(address instanceof Inet6Address)) {
            return "[" + text + "]";
        }
        int scope = text.indexOf('%');
        return "[IPv6:" + (scope < 0 ? text : text.substring(0, scope)) + "]";
    }

    /** The Received field, folded, with its CRLF. */
    @Override
    public String toString() {
        StringBuilder field = new StringBuilder(200)
                .append("Received: from ")
                .append(helo)
                .append(" (")
                .append(literal(client))
                .append(')')
                .append("\r\n\tby ")
                .append(by.host())
                .append(" with ")
                .append(by.with())
                .append(" id ")
                .append(by.id());
        if (forwardPath != null) {
            field.append("\r\n\tfor ").append(forwardPath);
        }
        return field.append(";\r\n\t")
                .append(DATE_TIME.format(at))
                .append("\r\n")
                .toString();
    }
}
