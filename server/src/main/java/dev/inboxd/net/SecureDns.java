package dev.inboxd.net;

import java.net.InetAddress;
import java.util.List;
import org.xbill.DNS.Record;
import org.xbill.DNS.TLSARecord;
import org.xbill.DNS.Type;

/**
 * Lookups for delivery, with a validating server's statement whether DNSSEC proves an answer (RFC 4035 §3.2.3). Only
 * an operator who knows the server, and the network between, can say that its statement counts. Blocking; thread-safe.
 */
public final class SecureDns {
    private final Dns dns;
    private final boolean believed;

    /**
     * Lookups at the servers of a {@link Dns}.
     *
     * @param believed whether those servers validate and nobody in between can change their answers; else no answer is
     *     proven
     */
    public SecureDns(Dns dns, boolean believed) {
        this.dns = dns;
        this.believed = believed;
    }

    /**
     * An answer, and whether it is proven.
     *
     * @param proven by DNSSEC, every alias in between included; a negative answer can be proven, too
     */
    public record SecureAnswer<T>(DnsAnswer<T> answer, boolean proven) {}

    /** The mail exchangers of a domain, as {@link Dns#mailExchangers} gives them. */
    public SecureAnswer<MailExchanger> mailExchangers(String domain) {
        SecureAnswer<Record> secured = dns.secured(domain, Type.MX, believed);
        return new SecureAnswer<>(Dns.mapped(secured.answer, Dns::byPreference), secured.proven);
    }

    /**
     * Addresses of a host, and the names for its TLSA records.
     *
     * @param addresses as {@link Dns#addresses} gives them
     * @param bases the TLSA base domains, in the order of their lookups (RFC 7671 §7): the target of the host's
     *     aliases and then the host where all aliases are proven; the host alone where only its own name is proven;
     *     none where nothing is proven
     */
    public record HostAddresses(DnsAnswer<InetAddress> addresses, List<String> bases) {}

    /** Looks up a host. The answers of both address families must be proven, as far as there are any. */
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
        if (isProven(ipv4) && isProven(ipv6)) {
            return new HostAddresses(addresses, alias ? List.of(end, host) : List.of(host));
        }
        // RFC 7672 §2.2.2: a proven alias may lead to a name that is not proven
        boolean begins = alias && dns.secured(host, Type.CNAME, true).proven();
        return new HostAddresses(addresses, begins ? List.of(host) : List.of());
    }

    /** The owner name of an answer's records. */
    private static String owner(SecureAnswer<Record> secured) {
        return secured.answer instanceof DnsAnswer.Records<Record>(List<Record> records)
                ? records.getFirst().getName().toString(true)
                : "";
    }

    /**
     * Whether the answer of one family counts as proven. An attacker who makes one family fail must not thereby remove
     * the proof of the other (RFC 7672 §2.1.1).
     */
    private static boolean isProven(SecureAnswer<Record> family) {
        return family.proven || family.answer instanceof DnsAnswer.Unavailable<Record>;
    }

    /** The TLSA records of a host's port (RFC 6698 §3). */
    public SecureAnswer<Tlsa> certificates(String host, int port) {
        SecureAnswer<Record> secured = dns.secured("_" + port + "._tcp." + host, Type.TLSA, believed);
        return new SecureAnswer<>(Dns.mapped(secured.answer, SecureDns::tlsa), secured.proven);
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
