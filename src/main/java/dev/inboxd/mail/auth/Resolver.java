package dev.inboxd.mail.auth;

import java.net.InetAddress;

/**
 * What checks ask of the DNS. Names are absolute, with or without a final dot; one that can be no domain name (an empty
 * label, a label over 63 octets) is answered as one that does not exist. Never throws: without a trustworthy answer it
 * says {@link ResolverAnswer.Status#FAILED}.
 */
public interface Resolver {
    /** TXT records, the strings of each joined without blanks, one character per octet. */
    ResolverAnswer<String> texts(String name);

    /** The A records of a name, or its AAAA records. */
    ResolverAnswer<InetAddress> addresses(String name, boolean ipv6);

    /** The hosts of the MX records in the order of preference, without a null MX (RFC 7505). */
    ResolverAnswer<String> mailExchangers(String name);

    /** The names that PTR records give for an address, without final dots. */
    ResolverAnswer<String> names(InetAddress address);
}
