package dev.inboxd.smtp.client;

import dev.inboxd.net.Tlsa;
import java.util.List;

/** What TLS a session with a host must have before a message or a password goes over it. */
public sealed interface TlsRule {
    /** STARTTLS where it is offered, whatever the certificate; in the clear where it is not, or does not work (RFC 7435). */
    record Opportunistic() implements TlsRule {}

    /** None, also where it is offered. */
    record Clear() implements TlsRule {}

    /**
     * STARTTLS, or TLS from the first octet (RFC 8314 §3), and a certificate of a known authority for the host's name.
     */
    record Verified(boolean implicit) implements TlsRule {}

    /**
     * STARTTLS and a certificate that one of the host's TLSA records matches (RFC 7672).
     *
     * @param records those that can be used; none when all are of kinds that have no meaning for mail, which still asks
     *     for encryption (RFC 7672 §2.2)
     * @param domain the recipients', which a certificate of a named authority may be for as well (RFC 7672 §3.2.2)
     */
    record Dane(List<Tlsa> records, String domain) implements TlsRule {
        /** Copies the list. */
        public Dane {
            records = List.copyOf(records);
        }
    }
}
