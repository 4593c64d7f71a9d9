package dev.inboxd.net;

import java.net.InetAddress;
import java.util.List;
import org.xbill.DNS.Record;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.Type;

/**
 * Lookups for delivery, with the word of a validating server on which answers DNSSEC proves (RFC 4035 §3.2.3). Only an
 * operator who knows the server, and the way to it, can say that its word counts. Blocking; thread-safe.
 */
public final class SecureDns {
    private final Dns dns;
    private final boolean believed;

    /**
     * Lookups by the servers of a {@link Dns}.
     *
     * @param believed whether those servers validate and nobody on the way can change what they say; else nothing is proven
     */
    public SecureDns(Dns dns, boolean believed) {
        this.dns = dns;
        this.believed = believed;
    }

    /**
     * An answer and its standing.
     *
     * @param proven by DNSSEC, every alias on the way included; so may be that there is nothing
     */
    public record SecureAnswer<T>(DnsAnswer<T> answer, boolean proven) {}

    /** The mail exchangers of a domain, as {@link Dns#mailExchangers} gives them. */
    public SecureAnswer<MailExchanger> mailExchangers(String domain) {
        SecureAnswer<Record> found = dns.secured(domain, Type.MX, believed);
        return new SecureAnswer<>(Dns.mapped(found.answer, Dns::byPreference), found.proven);
    }

    /**
     * Where a host is.
     *
     * @param addresses as {@link Dns#addresses} gives them
     * @param bases the names at which its certificates may be told of, to be asked in this order (RFC 7671 §7): the one
     *     that its aliases lead to and its own where all of that is proven, its own where that is all that is; none where
     *     nothing is
     */
    public record HostAddresses(DnsAnswer<InetAddress> addresses, List<String> bases) {}

    /** Where a host is; both families have to be proven, as far as they are answered. */
    public HostAddresses locate(String host) {
        if (Dns.isLocalhost(host)) {
            return new HostAddresses(dns.addresses(host), List.of());
        }
        SecureAnswer<Record> ipv4 = dns.secured(host, Type.A, believed);
        SecureAnswer<Record> ipv6 = dns.secured(host, Type.AAAA, believed);
        DnsAnswer<InetAddress> addresses = Dns.merge(ipv4.answer, ipv6.answer, host);
        if (!believed || !(addresses instanceof DnsAnswer.Records)) {
            return new HostAddresses(addresses, List.of());
        }
        String end = ipv4.answer instanceof DnsAnswer.Records ? owner(ipv4) : owner(ipv6);
        boolean alias = !end.equalsIgnoreCase(host);
        if (stands(ipv4) && stands(ipv6)) {
            return new HostAddresses(addresses, alias ? List.of(end, host) : List.of(host));
        }
        // RFC 7672 §2.2.2: an alias that is proven may lead out of what is
        boolean begins = alias && dns.secured(host, Type.CNAME, true).proven();
        return new HostAddresses(addresses, begins ? List.of(host) : List.of());
    }

    /** The name that the records of an answer have. */
    private static String owner(SecureAnswer<Record> found) {
        return found.answer instanceof DnsAnswer.Records<Record>(List<Record> records)
                ? records.getFirst().getName().toString(true)
                : "";
    }

    /** Who makes one family fail must not thereby be rid of the proof of the other (RFC 7672 §2.1.1). */
    private static boolean stands(SecureAnswer<Record> family) {
        return family.proven || family.answer instanceof DnsAnswer.Unavailable<Record>;
    }

    /** What DNSSEC says of the certificate of a host's port (RFC 6698 §3). */
    public SecureAnswer<Tlsa> certificates(String host, int port) {
        SecureAnswer<Record> found = dns.secured("_" + port + "._tcp." + host, Type.TLSA, believed);
        return new SecureAnswer<>(Dns.mapped(found.answer, SecureDns::tlsa), found.proven);
    }

    /** The TXT records of a name, as {@link Dns#texts} gives them. */
    public DnsAnswer<String> texts(String name) {
        return dns.texts(name);
    }

    private static List<Tlsa> tlsa(List<Record> records) {
        return records.stream()
                .filter(TLSARecord.class::isInstance)
                .map(TLSARecord.class::cast)
                .map(record -> Tlsa.of(
                        record.getCertificateUsage(),
                        record.getSelector(),
                        record.getMatchingType(),
                        record.getCertificateAssociationData()))
                .toList();
    }
}
