package dev.inboxd.mail.auth;

import java.net.InetAddress;

/**
 * DNS lookups of the origin checks. Names are absolute, with or without a final dot; a text that is not a domain name
 * (an empty label, a label over 63 octets) is answered like a name that does not exist. Never throws: without a
 * trustworthy answer the status is {@link ResolverAnswer.Status#FAILED}.
 */
public interface Resolver {
    /** The TXT records of a name, the strings of each joined without blanks, one character per octet. */
    ResolverAnswer<String> texts(String name);

    /**
     * The addresses of a name.
     *
     * @param ipv6 whether the AAAA records are meant, and not the A records
     */
    ResolverAnswer<InetAddress> addresses(String name, boolean ipv6);

    /** The hosts of the MX records in the order of preference, without a null MX (RFC 7505). */
    ResolverAnswer<String> mailExchangers(String name);

    /** The names of an address's PTR records, without final dots. */
    ResolverAnswer<String> names(InetAddress address);
}
