package dev.inboxd.outbound;

import dev.inboxd.net.AddressPolicy;
import dev.inboxd.net.DnsAnswer;
import dev.inboxd.net.Host;
import dev.inboxd.net.MailExchanger;
import dev.inboxd.net.SecureDns;
import dev.inboxd.net.SecureDns.SecureAnswer;
import dev.inboxd.net.Tlsa;
import dev.inboxd.smtp.client.DaneTrust;
import dev.inboxd.smtp.client.ServerReply;
import dev.inboxd.smtp.client.SmtpEndpoint;
import dev.inboxd.smtp.client.TlsRule;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Where a domain's mail goes (RFC 5321 §5.1), and under which rule of TLS. */
final class MxResolver {
    /** Hosts tried in one attempt, and addresses of each: who is not reached by then is so later. */
    private static final int MOST_HOSTS = 5;

    private static final int MOST_ADDRESSES = 3;

    private final SecureDns dns;
    private final Config site;

    /**
     * Who we are, and whom we may speak to.
     *
     * @param name our own host, which mail must not be sent to
     * @param port of other servers
     * @param addresses which may be connected to
     */
    record Config(String name, int port, AddressPolicy addresses) {}

    MxResolver(SecureDns dns, Config site) {
        this.dns = dns;
        this.site = site;
    }

    /** What the DNS says of a domain. */
    sealed interface Exchangers {
        /**
         * These take its mail.
         *
         * @param hosts names or address literals, most preferred first, at least one
         * @param proven by DNSSEC to be the domain's
         */
        record Hosts(List<MailExchanger> hosts, boolean proven) implements Exchangers {
            public Hosts {
                hosts = List.copyOf(hosts);
            }

            private static Hosts itself(String domain, boolean proven) {
                return new Hosts(List.of(new MailExchanger(0, domain)), proven);
            }
        }

        /** Nobody ever will. */
        record NoMailService(ServerReply reason) implements Exchangers {}

        /** It cannot be told now. */
        record Unavailable(String reason) implements Exchangers {}
    }

    /** What is known of one host. */
    sealed interface HostLookup {
        /** It can be tried at these, in that order. */
        record Reachable(List<SmtpEndpoint> endpoints) implements HostLookup {
            public Reachable {
                endpoints = List.copyOf(endpoints);
            }
        }

        /** It cannot be reached, now or as long as its records stay. */
        record Unreachable(String reason, boolean forever) implements HostLookup {}
    }

    /**
     * Who takes a domain's mail.
     *
     * @param domain in A-labels, or an address literal (RFC 5321 §4.1.3)
     */
    Exchangers of(String domain) {
        if (domain.startsWith("[")) {
            return Exchangers.Hosts.itself(domain, false);
        }
        SecureAnswer<MailExchanger> found = dns.mailExchangers(domain);
        return switch (found.answer()) {
            case DnsAnswer.Records<MailExchanger>(var exchangers) ->
                exchangers.isEmpty()
                        ? nobody(556, "5.1.10", domain + " takes no mail") // RFC 7505 §4.1
                        : before(exchangers, domain, found.proven());
            // RFC 5321 §5.1: without MX records, the domain itself is its host
            case DnsAnswer.Missing<MailExchanger>(boolean exists)
            when exists -> Exchangers.Hosts.itself(domain, found.proven());
            case DnsAnswer.Missing<MailExchanger> _ -> nobody(550, "5.1.2", "There is no domain " + domain);
            case DnsAnswer.Unavailable<MailExchanger>(String reason) ->
                new Exchangers.Unavailable("451 4.4.3 The DNS gave no answer for " + domain + ": " + reason);
        };
    }

    private static Exchangers nobody(int code, String status, String text) {
        return new Exchangers.NoMailService(new ServerReply(code, status, text));
    }

    /** RFC 5321 §5.1: none that is ourselves, and none that would hand the mail to us again. */
    private Exchangers before(List<MailExchanger> exchangers, String domain, boolean proven) {
        OptionalInt own = exchangers.stream()
                .filter(exchanger -> exchanger.host().equalsIgnoreCase(site.name))
                .mapToInt(MailExchanger::preference)
                .min();
        Set<String> names = new HashSet<>();
        List<MailExchanger> hosts = exchangers.stream()
                .filter(exchanger -> own.isEmpty() || exchanger.preference() < own.getAsInt())
                .filter(exchanger -> names.add(exchanger.host()))
                .limit(MOST_HOSTS)
                .toList();
        return hosts.isEmpty()
                ? nobody(554, "5.4.6", "The mail of " + domain + " leads here, where it has no inboxes")
                : new Exchangers.Hosts(hosts, proven);
    }

    /**
     * Where a host listens.
     *
     * @param domain the recipients'
     * @param proven whether DNSSEC proves that the host is the domain's
     */
    HostLookup lookUpHost(String host, String domain, boolean proven) {
        if (host.startsWith("[")) {
            return literal(host);
        }
        SecureDns.HostAddresses found = dns.locate(host);
        return switch (found.addresses()) {
            case DnsAnswer.Records<InetAddress>(var addresses) -> {
                List<InetAddress> permitted = addresses.stream()
                        .filter(site.addresses::permits)
                        .limit(MOST_ADDRESSES)
                        .toList();
                // Which address stays unsaid: the answer of an inner view of the DNS is not the sender's to read.
                yield permitted.isEmpty()
                        ? new HostLookup.Unreachable("5.4.4 " + host + " has no public address", true)
                        : ruled(host, domain, permitted, proven ? found.bases() : List.of());
            }
            case DnsAnswer.Missing<InetAddress> _ ->
                new HostLookup.Unreachable("5.4.4 " + host + " has no address", true);
            case DnsAnswer.Unavailable<InetAddress>(String reason) ->
                new HostLookup.Unreachable("4.4.3 The DNS gave no answer for " + host + ": " + reason, false);
        };
    }

    private HostLookup literal(String literal) {
        String text = literal.substring(1, literal.length() - 1);
        boolean ipv6 = text.regionMatches(true, 0, "IPv6:", 0, 5);
        return Host.classify(ipv6 ? "[" + text.substring(5) + "]" : text) instanceof Host.Address(InetAddress address)
                        && site.addresses.permits(address)
                ? new HostLookup.Reachable(List.of(new SmtpEndpoint(address.getHostAddress(), address, site.port)))
                : new HostLookup.Unreachable("5.4.4 " + literal + " is no public address", true);
    }

    /** The first of these names that tells of a certificate is the host's own (RFC 7672 §2.2.3). */
    private HostLookup ruled(String host, String domain, List<InetAddress> addresses, List<String> bases) {
        for (String base : bases) {
            SecureAnswer<Tlsa> certificates = dns.certificates(base, site.port);
            if (certificates.answer() instanceof DnsAnswer.Unavailable<Tlsa>(String reason)) {
                // RFC 7672 §2.1.2: who makes this answer fail must not thereby be rid of it
                return new HostLookup.Unreachable(
                        "4.7.5 The DNS gave no answer for the certificate of " + base + ": " + reason, false);
            }
            if (certificates.proven() && certificates.answer() instanceof DnsAnswer.Records<Tlsa>(List<Tlsa> records)) {
                return at(
                        base,
                        addresses,
                        new TlsRule.Dane(
                                records.stream().filter(DaneTrust::isUsable).toList(), domain));
            }
        }
        return at(host, addresses, new TlsRule.Opportunistic());
    }

    private HostLookup at(String host, List<InetAddress> addresses, TlsRule rule) {
        return new HostLookup.Reachable(addresses.stream()
                .map(address -> new SmtpEndpoint(host, address, site.port, rule, null))
                .toList());
    }
}
