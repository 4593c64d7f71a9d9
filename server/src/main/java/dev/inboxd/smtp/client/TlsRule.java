package dev.inboxd.smtp.client;

import dev.inboxd.net.Tlsa;
import java.util.List;

/** What TLS a session must have before a message or a password is sent. */
public sealed interface TlsRule {
    /** STARTTLS where it is offered, with any certificate; clear text where it is not offered or fails (RFC 7435). */
    record Opportunistic() implements TlsRule {}

    /** Clear text, even where STARTTLS is offered. */
    record Clear() implements TlsRule {}

    /**
     * TLS with a certificate of a trusted authority for the host's name.
     *
     * @param implicit whether TLS begins with the first octet (RFC 8314 §3) instead of STARTTLS
     */
    record Verified(boolean implicit) implements TlsRule {}

    /**
     * STARTTLS with a certificate that matches one of the host's TLSA records (RFC 7672).
     *
     * @param records the usable ones; empty when none is usable for SMTP, which still demands encryption (RFC 7672
     *     §2.2)
     * @param domain the recipient's domain, which the certificate of a named authority may also be for (RFC 7672
     *     §3.2.2)
     */
    record Dane(List<Tlsa> records, String domain) implements TlsRule {
        /** Copies the list. */
        public Dane {
            records = List.copyOf(records);
        }
    }
}
