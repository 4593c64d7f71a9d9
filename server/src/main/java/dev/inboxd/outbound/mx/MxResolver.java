package dev.inboxd.outbound.mx;

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

/** Finds the hosts for a domain's mail (RFC 5321 §5.1) and the TLS rule of each. */
public final class MxResolver {
    /**
     * Maximum number of hosts tried in one attempt, and of addresses of each. If none is reached, the attempt is
     * repeated later.
     */
    private static final int MAX_HOSTS = 5;

    private static final int MAX_ADDRESSES = 3;

    private final SecureDns dns;
    private final Config config;

    /**
     * The resolver's configuration.
     *
     * @param name our own host name, to which mail must not be sent
     * @param port of other servers
     * @param addresses which addresses may be connected to
     */
    public record Config(String name, int port, AddressPolicy addresses) {}

    public MxResolver(SecureDns dns, Config config) {
        this.dns = dns;
        this.config = config;
    }

    /** The mail exchangers of a domain. */
    sealed interface Exchangers {
        /**
         * The domain has these hosts.
         *
         * @param hosts names or address literals, most preferred first, at least one
         * @param proven whether DNSSEC proves that they are the domain's
         */
        record Hosts(List<MailExchanger> hosts, boolean proven) implements Exchangers {
            public Hosts {
                hosts = List.copyOf(hosts);
            }

            private static Hosts itself(String domain, boolean proven) {
                return new Hosts(List.of(new MailExchanger(0, domain)), proven);
            }
        }

        /** The domain takes no mail. */
        record NoMailService(ServerReply reason) implements Exchangers {}

        /** The DNS gave no answer. */
        record Unavailable(String reason) implements Exchangers {}
    }

    /** The result of a host lookup. */
    sealed interface HostLookup {
        /** The host has these addresses, to be tried in that order. */
        record Reachable(List<SmtpEndpoint> endpoints) implements HostLookup {
            public Reachable {
                endpoints = List.copyOf(endpoints);
            }
        }

        /**
         * The host cannot be reached.
         *
         * @param reason enhanced status code and text
         * @param forever whether that lasts until its DNS records change
         */
        record Unreachable(String reason, boolean forever) implements HostLookup {}
    }

    /**
     * The mail exchangers of a domain; blocks.
     *
     * @param domain in A-labels, or an address literal (RFC 5321 §4.1.3)
     */
    Exchangers of(String domain) {
        if (domain.startsWith("[")) {
            return Exchangers.Hosts.itself(domain, false);
        }
        SecureAnswer<MailExchanger> secureAnswer = dns.mailExchangers(domain);
        return switch (secureAnswer.answer()) {
            case DnsAnswer.Records<MailExchanger>(var exchangers) ->
                exchangers.isEmpty()
                        ? noMailService(556, "5.1.10", domain + " takes no mail") // RFC 7505 §4.1
                        : usableHosts(exchangers, domain, secureAnswer.proven());
            // RFC 5321 §5.1: without MX records, the domain itself is its host
            case DnsAnswer.Missing<MailExchanger>(boolean exists)
            when exists -> Exchangers.Hosts.itself(domain, secureAnswer.proven());
            case DnsAnswer.Missing<MailExchanger> _ -> noMailService(550, "5.1.2", "There is no domain " + domain);
            case DnsAnswer.Unavailable<MailExchanger>(String reason) ->
                new Exchangers.Unavailable("451 4.4.3 The DNS gave no answer for " + domain + ": " + reason);
        };
    }

    private static Exchangers noMailService(int code, String status, String text) {
        return new Exchangers.NoMailService(new ServerReply(code, status, text));
    }

    /**
     * The hosts to try: without this host, and without those of lower preference than this host, which would send the
     * mail back (RFC 5321 §5.1).
     */
    private Exchangers usableHosts(List<MailExchanger> exchangers, String domain, boolean proven) {
        OptionalInt own = exchangers.stream()
                .filter(exchanger -> exchanger.host().equalsIgnoreCase(config.name))
                .mapToInt(MailExchanger::preference)
                .min();
        Set<String> names = new HashSet<>();
        List<MailExchanger> hosts = exchangers.stream()
                .filter(exchanger -> own.isEmpty() || exchanger.preference() < own.getAsInt())
                .filter(exchanger -> names.add(exchanger.host()))
                .limit(MAX_HOSTS)
                .toList();
        return hosts.isEmpty()
                ? noMailService(
                        554, "5.4.6", "The MX records of " + domain + " name this server, which has no inboxes of it")
                : new Exchangers.Hosts(hosts, proven);
    }

    /**
     * The addresses of a host and their TLS rule; blocks.
     *
     * @param domain the recipient's domain
     * @param proven whether DNSSEC proves that the host is the domain's
     */
    HostLookup lookUpHost(String host, String domain, boolean proven) {
        if (host.startsWith("[")) {
            return literal(host);
        }
        SecureDns.HostAddresses hostAddresses = dns.locate(host);
        return switch (hostAddresses.addresses()) {
            case DnsAnswer.Records<InetAddress>(var addresses) -> {
                List<InetAddress> permitted = addresses.stream()
                        .filter(config.addresses::permits)
                        .limit(MAX_ADDRESSES)
                        .toList();
                // The addresses are not named: the sender must not learn answers of an internal view of the DNS.
                yield permitted.isEmpty()
                        ? new HostLookup.Unreachable("5.4.4 " + host + " has no public address", true)
                        : withTlsRule(host, domain, permitted, proven ? hostAddresses.bases() : List.of());
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
                        && config.addresses.permits(address)
                ? new HostLookup.Reachable(List.of(new SmtpEndpoint(address.getHostAddress(), address, config.port)))
                : new HostLookup.Unreachable("5.4.4 " + literal + " is no public address", true);
    }

    /** Applies DANE: the first of these names with proven TLSA records is the reference name (RFC 7672 §2.2.3). */
    private HostLookup withTlsRule(
            String host, String domain, List<InetAddress> addresses, List<String> tlsaBaseDomains) {
        for (String base : tlsaBaseDomains) {
            SecureAnswer<Tlsa> certificates = dns.certificates(base, config.port);
            if (certificates.answer() instanceof DnsAnswer.Unavailable<Tlsa>(String reason)) {
                // RFC 7672 §2.1.2: an attacker who suppresses this answer must not disable DANE
                return new HostLookup.Unreachable(
                        "4.7.5 The DNS gave no answer for the certificate of " + base + ": " + reason, false);
            }
            if (certificates.proven() && certificates.answer() instanceof DnsAnswer.Records<Tlsa>(List<Tlsa> records)) {
                return reachable(
                        base,
                        addresses,
                        new TlsRule.Dane(
                                records.stream().filter(DaneTrust::isUsable).toList(), domain));
            }
        }
        return reachable(host, addresses, new TlsRule.Opportunistic());
    }

    private HostLookup reachable(String host, List<InetAddress> addresses, TlsRule rule) {
        return new HostLookup.Reachable(addresses.stream()
                .map(address -> new SmtpEndpoint(host, address, config.port, rule, null))
                .toList());
    }
}
