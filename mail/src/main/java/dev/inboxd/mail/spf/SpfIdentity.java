package dev.inboxd.mail.spf;

import java.net.InetAddress;
import java.util.Locale;

/**
 * The identities of a transaction that SPF checks (RFC 7208 §4.1).
 *
 * @param client the address of the SMTP client
 * @param helo the client's name
 * @param localPart local part of the sender, {@code postmaster} when there is none (§4.3)
 * @param domain the domain whose record is checked, in lower case
 * @param mailFrom whether that is the MAIL FROM identity and not HELO, which replaces a null reverse-path (§2.4)
 */
public record SpfIdentity(InetAddress client, String helo, String localPart, String domain, boolean mailFrom) {
    /**
     * The identity of a transaction.
     *
     * @param client the address of the SMTP client
     * @param helo the client's name in EHLO or HELO
     * @param reversePath the address of MAIL, empty for the null reverse-path
     */
    public static SpfIdentity of(InetAddress client, String helo, String reversePath) {
        int at = reversePath.lastIndexOf('@');
        String local = at <= 0 ? "postmaster" : reversePath.substring(0, at);
        String domain = at < 0 ? helo : reversePath.substring(at + 1);
        return new SpfIdentity(client, helo, local, domain.toLowerCase(Locale.ROOT), at >= 0);
    }

    String sender() {
        return localPart + "@" + domain;
    }
}
